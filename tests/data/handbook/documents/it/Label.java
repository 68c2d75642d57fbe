package example.tarnvale;

import java.util.Locale;

/** The label that is printed for a boat and stuck under its seat. */
public final class Label {
    private final String number;
    private final String tag;

    public Label(String number, String tag) {
        this.number = number;
        this.tag = tag;
    }

    /** Two lines of at most eighteen letters, the printer cuts what is longer. */
    public String lines() {
        return cut(number) + "\n" + cut(tag.toUpperCase(Locale.ROOT));
    }

    /** The check digit: the sum of all digits of the tag, modulo seven. */
    public int checkDigit() {
        return tag.chars().filter(Character::isDigit).map(c -> c - '0').sum() % 7;
    }

    private static String cut(String text) {
        return text.length() <= 18 ? text : text.substring(0, 18);
    }
}

#!/bin/sh
# Name everything that is missing before anything is installed, each with the line that installs it.
missing=0
say() { printf '%s\n' "$1" >&2; missing=1; }

"${PYTHON:-python3}" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null ||
    say "Python 3.11, 3.12 or 3.13 is needed: sudo apt-get install python3.11   then: make PYTHON=python3.11 ..."
"${PYTHON:-python3}" -c 'import venv, ensurepip' 2>/dev/null ||
    say "Python's venv is missing: sudo apt-get install python3-venv"

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
case "$version" in
    17 | 21) ;;
    "") say "Java 17 or 21 is needed and none was found: sudo apt-get install openjdk-17-jre-headless" ;;
    *) say "Java 17 or 21 is needed and $version was found: sudo apt-get install openjdk-17-jre-headless   then: export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64" ;;
esac
exit $missing

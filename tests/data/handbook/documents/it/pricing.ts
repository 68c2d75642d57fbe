/** Prices of rentals, as the till and the web page show them. */

export interface Rental {
  item: string;
  hours: number;
  extras: string[];
}

/** Euros by item and unit; kept in step with prices.csv by hand. */
const DAY: Record<string, number> = { "Heron 15": 48, "Heron 17": 62, Otter: 39 };
const HALF_DAY: Record<string, number> = { "Heron 15": 30, Otter: 24 };
const LATE_FEE: Record<string, number> = { canoe: 15, kayak: 12 };

/** Half a day is up to five hours; an item without that price is always let by the day. */
export function price(rental: Rental): number {
  const half = HALF_DAY[rental.item];
  const base = rental.hours <= 5 && half !== undefined ? half : DAY[rental.item];
  if (base === undefined) {
    throw new Error(`no price for ${rental.item}`);
  }
  return base + 3 * rental.extras.filter((extra) => extra === "dry bag").length;
}

/** What a late return costs: nothing for half an hour, then by the begun hour. */
export function lateFee(kind: "canoe" | "kayak", minutesLate: number): number {
  if (minutesLate <= 30) return 0;
  return LATE_FEE[kind] * Math.ceil((minutesLate - 30) / 60);
}

export class Voucher {
  constructor(private readonly cents: number) {}

  /** A voucher for a closed lake is worth a tenth more than what was paid. */
  static forClosedLake(paidCents: number): Voucher {
    return new Voucher(Math.round(paidCents * 1.1));
  }

  get euros(): string {
    return (this.cents / 100).toFixed(2);
  }
}

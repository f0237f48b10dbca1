"""What the files of ladle hold, and what its commands print."""

from __future__ import annotations

SCALE = """export interface Ingredient {
  amount: number;
  unit: string;
  name: string;
}

/** Scale an ingredient to another number of servings. */
export function scale(item: Ingredient, from: number, to: number): Ingredient {
  return { ...item, amount: (item.amount * to) / from };
}

/** Write an amount the way a cook would. */
export function format(amount: number): string {
  return amount.toString();
}
"""


SCALE_TEST = """import { expect, test } from "vitest";
import { format, scale } from "./scale";

const flour = { amount: 1, unit: "cup", name: "flour" };

test("twice the servings need twice the flour", () => {
  expect(scale(flour, 4, 8).amount).toBe(2);
});

test("a third of a cup is written as a fraction", () => {
  expect(format(scale(flour, 3, 1).amount)).toBe("1/3");
});
"""


RATIONAL = """export interface Ingredient {
  amount: Rational;
  unit: string;
  name: string;
}

/** An exact amount: a third of a cup stays a third. */
export class Rational {
  constructor(
    readonly top: number,
    readonly bottom = 1,
  ) {
    const divisor = gcd(top, bottom);
    this.top = top / divisor;
    this.bottom = bottom / divisor;
  }

  times(other: Rational): Rational {
    return new Rational(this.top * other.top, this.bottom * other.bottom);
  }

  toString(): string {
    const whole = Math.floor(this.top / this.bottom);
    const rest = this.top - whole * this.bottom;
    if (rest === 0) return `${whole}`;
    return whole ? `${whole} ${rest}/${this.bottom}` : `${rest}/${this.bottom}`;
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

/** Scale an ingredient to another number of servings. */
export function scale(item: Ingredient, from: number, to: number): Ingredient {
  return { ...item, amount: item.amount.times(new Rational(to, from)) };
}

/** Write an amount the way a cook would. */
export function format(amount: Rational): string {
  return amount.toString();
}
"""


OLD_FORMAT = """export function format(amount: number): string {
  return amount.toString();
}
"""


CUPS = """const FRACTIONS: ReadonlyArray<readonly [number, string]> = [
  [1 / 4, "1/4"],
  [1 / 3, "1/3"],
  [1 / 2, "1/2"],
  [2 / 3, "2/3"],
  [3 / 4, "3/4"],
];

/** Write an amount the way a cook would: with the fractions that are on measuring cups. */
export function format(amount: number): string {
  const whole = Math.floor(amount + 0.02);
  const rest = amount - whole;
  const found = FRACTIONS.find(([value]) => Math.abs(value - rest) < 0.02);
  if (found) return whole ? `${whole} ${found[1]}` : found[1];
  return Math.abs(rest) < 0.02 ? `${whole}` : amount.toFixed(1);
}
"""


GREEN, RED, DIM, OFF = "\u001b[32m", "\u001b[31m", "\u001b[2m", "\u001b[39m"


TYPE_ERRORS = f"""{RED}src/import.ts{OFF}:{RED}41{OFF}:9 - {RED}error{OFF} TS2322: Type 'number' is not assignable to type 'Rational'.
{RED}src/list.ts{OFF}:{RED}18{OFF}:30 - {RED}error{OFF} TS2365: Operator '+' cannot be applied to types 'Rational' and 'Rational'.
{RED}src/store.ts{OFF}:{RED}77{OFF}:5 - {RED}error{OFF} TS2345: Argument of type 'Rational' is not assignable to parameter of type 'number'.

Found 3 errors in 3 files."""


PASSED = f""" {GREEN}✓{OFF} src/scale.test.ts {DIM}(4 tests){OFF} 3ms
 {GREEN}✓{OFF} src/list.test.ts {DIM}(6 tests){OFF} 5ms

{DIM} Test Files {OFF} {GREEN}2 passed{OFF} (2)
{DIM}      Tests {OFF} {GREEN}10 passed{OFF} (10)
{DIM}   Duration {OFF} 412ms"""


LIST = """import type { Ingredient } from "./scale";

export interface Line {
  name: string;
  unit: string;
  amount: number;
  recipes: string[];
}

/** Add up the ingredients of several recipes; one line for each name and unit. */
export function shoppingList(recipes: Map<string, Ingredient[]>): Line[] {
  const lines = new Map<string, Line>();
  for (const [recipe, items] of recipes) {
    for (const item of items) {
      const key = `${item.name}/${item.unit}`;
      const line = lines.get(key) ?? { ...item, amount: 0, recipes: [] };
      line.amount += item.amount;
      line.recipes.push(recipe);
      lines.set(key, line);
    }
  }
  return [...lines.values()];
}
"""


RETURN = "  return [...lines.values()];\n"


PLAN = """# Shopping list

## What
One list for the recipes of a week, amounts added up by name and unit.

## Steps
1. `src/list.ts`: `shoppingList(recipes)` adds up amounts.
2. `src/page.ts`: a button that shows the list.
3. Store ticked lines in IndexedDB, with a sync queue for later.

## Not now
Conversion between units."""


PLAN_2 = PLAN.replace(
    "3. Store ticked lines in IndexedDB, with a sync queue for later.",
    "3. Ticked lines live in `localStorage`, under the week's number.",
)


CLAUDE_MD = """# ladle

- Plain TypeScript, no framework.
- A cook reads this with wet hands: large type, few taps.
- Every bug gets a test first.
"""

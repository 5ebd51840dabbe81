import { expect, test } from 'vitest'
import { certainFaults } from '../scripts/bench-types.ts'

test('a fault counts unless its file imports what is not installed', () => {
  const output = [
    "bench/a.ts(1,10): error TS2305: Module '\"../src/main.ts\"' has no exported member 'x'.",
    "bench/peers.ts(1,20): error TS2307: Cannot find module 'cheerio' or its corresponding type declarations.",
    "bench/peers.ts(9,2): error TS7031: Binding element '$' implicitly has an 'any' type.",
    "bench/b.ts(4,8): error TS2307: Cannot find module './gone.ts' or its corresponding type declarations.",
    "  Type 'null' is not assignable.",
    '',
  ].join('\n')
  expect(certainFaults(output).map((fault) => fault.slice(0, 10))).toEqual(['bench/a.ts', 'bench/b.ts'])
})

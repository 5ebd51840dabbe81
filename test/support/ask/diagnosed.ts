import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { service } from './kit.ts'
import type { Unseen } from './unseen.ts'

type Input = Record<string, unknown>
type Service = ReturnType<typeof service>

const isNeutral = (value: unknown) =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
const isRight = (given: unknown, wanted: unknown): boolean =>
  typeof wanted === 'function'
    ? wanted(given) === true
    : wanted === null
      ? isNeutral(given)
      : isDeepStrictEqual(given, wanted)
const isFix = (given: Input | null, wanted: Input | null): boolean =>
  given === null || wanted === null
    ? given === wanted
    : Object.keys(given).length === Object.keys(wanted).length &&
      Object.entries(wanted).every(([name, value]) => name in given && isRight(given[name], value))

/** Each situation is made for real, its question asked, and the answer compared with what a right one holds. */
export function diagnosed(
  title: string,
  situations: readonly Unseen[],
  done: Readonly<Record<string, () => Promise<Service>>>,
): void {
  describe(`a situation ${title}`, () => {
    for (const { name, asks, says, fixes, isOpen } of situations)
      // What is not diagnosed yet says so here as soon as it is.
      test(name, { timeout: 90_000, fails: isOpen === true }, async () => {
        const made = await done[name]?.()
        const answered = await made?.ask(asks)
        for (const part of says) expect(answered?.answer).toMatch(part)
        expect(
          fixes.some((fix) => isFix(answered?.fixParameters ?? null, fix)),
          JSON.stringify(answered),
        ).toBe(true)
        expect(answered?.feedback).toBeNull()
      })
  })
}

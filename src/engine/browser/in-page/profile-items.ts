/// <reference lib="dom" />
import type { OriginState } from '../profile/state-schema.ts'

type Items = OriginState['localStorage']

/** Runs in the page. An item may be named like a method of its storage, so that properties do not tell them all. */
export function collectItems(): Items {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
  return names.map((name) => ({ name, value: localStorage.getItem(name) ?? '' }))
}

/** Runs in the page: sets the items of a JSON array, and tells how many had no room. */
export function restoreItems(text: string): number {
  let failed = 0
  for (const { name, value } of JSON.parse(text) as Items) {
    try {
      localStorage.setItem(name, value)
    } catch {
      failed += 1
    }
  }
  return failed
}

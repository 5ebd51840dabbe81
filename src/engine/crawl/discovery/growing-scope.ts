import { createScope, type Scope, type ScopeRules } from '../scope/scope.ts'

/** A scope that also covers the place where the start address led. */
export type GrowingScope = Scope & { land(url: string): Promise<void> }

type Rules = Omit<ScopeRules, 'bases'>

export async function createGrowingScope(
  bases: readonly string[],
  rules: Rules,
  warn: (text: string) => void,
  now: number,
): Promise<GrowingScope> {
  let scope = await createScope({ ...rules, bases }, warn, now)
  return {
    judge: (...found) => scope.judge(...found),
    keyOf: (url) => scope.keyOf(url),
    async land(url) {
      scope = await createScope({ ...rules, bases: [...bases, url] }, warn, now)
    },
  }
}

import { createScope, type Scope, type ScopeRules } from './scope.ts'

/** A scope that can be extended by the site that the start URL redirects to. */
export type ExtendableScope = Scope & { extend(url: string): Promise<void> }

type Rules = Omit<ScopeRules, 'bases'>

export async function createExtendableScope(
  bases: readonly string[],
  rules: Rules,
  warn: (text: string) => void,
  now: number,
): Promise<ExtendableScope> {
  let scope = await createScope({ ...rules, bases }, warn, now)
  return {
    judge: (...found) => scope.judge(...found),
    keyOf: (url) => scope.keyOf(url),
    isUnwanted: (url) => scope.isUnwanted(url),
    async extend(url) {
      scope = await createScope({ ...rules, bases: [...bases, url] }, warn, now)
    },
  }
}

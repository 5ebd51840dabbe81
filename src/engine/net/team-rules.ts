import { type AddressRule, createAddressRule, isAllowEntry } from './address-rule.ts'

/** What a team's requests may reach, as it is now. */
export type RuleOf = (teamId: string) => Promise<AddressRule>

/**
 * The address rule of each team: what the settings allow to all, and the private hosts that the operator has given to it
 * alone. Teams that may reach the same have the same object, and those who keep connections keep them by it.
 * An entry of a team that cannot be read allows nothing; one of the settings throws an Error that names it.
 */
export function createTeamRules(
  allowHosts: readonly string[],
  privateHostsOf: (teamId: string) => Promise<readonly string[]>,
): RuleOf {
  const common = createAddressRule(allowHosts)
  const byHosts = new Map<string, AddressRule>()
  return async (teamId) => {
    const own = await privateHostsOf(teamId)
    if (own.length === 0) return common
    const key = JSON.stringify(own)
    const rule = byHosts.get(key) ?? createAddressRule([...allowHosts, ...own.filter(isAllowEntry)])
    byHosts.set(key, rule)
    return rule
  }
}

/** One thing for each rule, made when it is first needed, such as connections that others must not use. */
export function forEachRule<T>(make: (rule: AddressRule) => T) {
  const made = new Map<AddressRule, T>()
  return {
    of(rule: AddressRule): T {
      const known = made.get(rule) ?? make(rule)
      made.set(rule, known)
      return known
    },
    all: (): T[] => [...made.values()],
  }
}

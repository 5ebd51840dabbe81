import { type AddressRule, createAddressRule, isAllowEntry } from './address-rule.ts'

/** Returns the current address rule of a team. */
export type RuleOf = (teamId: string) => Promise<AddressRule>

/**
 * Creates the address rule of each team: the hosts allowed for all, and the private hosts that the operator assigned to
 * the team. Teams with equal permissions get the same object, so connection pools can be keyed by it.
 * Invalid entries of a team are ignored; an invalid entry in the settings throws an Error that names it.
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

/** Creates one value per rule on first use, such as connections that must not be shared between rules. */
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

import type { TeamTerms } from '../../contracts/account-ports.ts'
import { type AddressRule, createAddressRule, isAllowEntry } from './address-rule.ts'

/** Returns the current address rule of a team. */
export type RuleOf = (teamId: string) => Promise<AddressRule>

/** Terms of a team that decide which hosts it may reach. */
export type Reach = Pick<TeamTerms, 'privateHosts' | 'allowDomains' | 'denyDomains' | 'resourceDomains'>

/**
 * Creates the address rule of each team: the hosts allowed for all, the private hosts that the operator assigned to the
 * team, and the domains that it is limited to. Teams with equal terms get the same object, so connection pools can be
 * keyed by it. Invalid private hosts of a team are ignored; any other invalid entry throws an Error that names it.
 */
export function createTeamRules(allowHosts: readonly string[], reachOf: (teamId: string) => Promise<Reach>): RuleOf {
  const common = createAddressRule(allowHosts)
  const byTerms = new Map<string, AddressRule>()
  return async (teamId) => {
    const { privateHosts = [], allowDomains: allow, denyDomains: deny, resourceDomains } = await reachOf(teamId)
    if (privateHosts.length === 0 && !allow && !deny) return common
    const domains = { allow, deny, resources: resourceDomains }
    const key = JSON.stringify([privateHosts, domains])
    const rule = byTerms.get(key) ?? createAddressRule([...allowHosts, ...privateHosts.filter(isAllowEntry)], domains)
    byTerms.set(key, rule)
    return rule
  }
}

/** Creates one value per rule on first use, such as connections that must not be shared between rules. */
export function forEachRule<T>(create: (rule: AddressRule) => T) {
  const values = new Map<AddressRule, T>()
  return {
    of(rule: AddressRule): T {
      const value = values.get(rule) ?? create(rule)
      values.set(rule, value)
      return value
    },
    all: (): T[] => [...values.values()],
  }
}

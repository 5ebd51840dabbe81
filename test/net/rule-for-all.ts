import { createTeamRules, type RuleOf } from '../../src/engine/net/team-rules.ts'

/** Every team may reach these private hosts. */
export const ruleForAll = (allowHosts: readonly string[]): RuleOf => createTeamRules(allowHosts, async () => ({}))

import type { StoredTeam } from '../../contracts/account-ports.ts'

/** A team as operators see it: of its secret only that there is one. */
export function shownTeam({ id, createdAt, terms }: StoredTeam) {
  const { webhookSecret, permissions, privateHosts, ...rest } = terms
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    ...rest,
    ...(permissions && { permissions: [...permissions] }),
    ...(privateHosts && { privateHosts: [...privateHosts] }),
    ...(webhookSecret !== undefined && { webhookSecret: webhookSecret === null ? null : ('set' as const) }),
  }
}

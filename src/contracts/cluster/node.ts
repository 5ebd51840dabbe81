import type { Sessions } from '../session.ts'

export const nodeRoles = ['all', 'api', 'worker', 'browser'] as const
export type NodeRole = (typeof nodeRoles)[number]

/** A server that shares its database with others. */
export type Node = {
  /** Of one run of the program. */
  id: string
  role: NodeRole
  /** Where the others reach it; null where they cannot. No trailing slash. */
  url: string | null
  startedAt: number
}
/** `sessions`: live browsers that it holds. */
export type LiveNode = Node & { sessions: number }

/** The servers on one database. One that does not renew its lease is taken for dead. */
export type Nodes = {
  /** Enters a server, or says that it lives on. */
  renew(node: Node, leaseMs: number): Promise<void>
  leave(id: string): Promise<void>
  /** In the order in which they started. */
  alive(): Promise<LiveNode[]>
}

/** The calls of a live session that can be carried on to the server that holds it. */
export const carriedCalls = [
  'find',
  'state',
  'execute',
  'snapshot',
  'act',
  'announce',
  'askViewers',
  'file',
  'screenshot',
  'close',
] as const
export type CarriedCall = (typeof carriedCalls)[number]

/** The live sessions of another server. Fails as Sessions documents, and with REMOTE_UNAVAILABLE where it does not answer. */
export type SessionsElsewhere = Pick<Sessions, 'create' | 'canRun' | 'confine' | 'endpoint' | CarriedCall> & {
  /** Those of a team that are open there, with their secrets. */
  opened(teamId: string): ReturnType<Sessions['list']>
}

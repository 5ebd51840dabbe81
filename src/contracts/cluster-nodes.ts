import type { Sessions } from './session-port.ts'

export const nodeRoles = ['all', 'api', 'worker', 'browser'] as const
export type NodeRole = (typeof nodeRoles)[number]

/** A server that shares its database with others. */
export type Node = {
  /** Unique per run of the program. */
  id: string
  role: NodeRole
  /** URL at which the other servers reach it, without a trailing slash; null if they cannot. */
  url: string | null
  startedAt: number
}
/** `sessions`: number of live browsers on the server. */
export type LiveNode = Node & { sessions: number }

/** Facts that a server reports about itself, for operators of the cluster. */
export type NodeFacts = {
  /** Host name, process id and start time; the ids of its workers start with this text. */
  process: string
  /** Version of the program. */
  version: string
  /** Schema version of the tables that it supports; null if it does not share its data. */
  schema: number | null
  /** Digest of each setting that must be equal on all servers, by environment variable; null if not set. */
  settings: Readonly<Record<string, string | null>>
}
/** A registered server that has not left, alive or not. */
export type EnteredNode = LiveNode & {
  /** Null for servers of versions that did not report facts. */
  facts: NodeFacts | null
  /** Time since its last renewal by the database clock; null as above. */
  silentMs: number | null
  /** Time by which its clock is ahead of the database clock; null as above. */
  clockAheadMs: number | null
  /** True if its lease has not expired by the database clock, whatever its own clock shows. */
  isAlive: boolean
  /** Pages of crawls and batches that it is processing. */
  pages: number
}

/** Servers that share one database. A server that does not renew its lease is considered dead. */
export type Nodes = {
  /** Registers a server or renews its lease. */
  renew(node: Node & { facts: NodeFacts }, leaseMs: number): Promise<void>
  leave(id: string): Promise<void>
  /** In start order. */
  alive(): Promise<LiveNode[]>
  /** Live servers, and for ten minutes those that ended without leaving. */
  entered(): Promise<EnteredNode[]>
}

/**
 * Live sessions of another server. Fails as Sessions documents, and with REMOTE_UNAVAILABLE if that server does not
 * answer.
 */
export type SessionsElsewhere = Omit<Sessions, 'list' | 'baseUrl' | 'endpoint'> & {
  /** Open sessions of a team on that server, with their secrets. */
  opened(teamId: string): ReturnType<Sessions['list']>
}

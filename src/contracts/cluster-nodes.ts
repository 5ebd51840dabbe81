import type { Sessions } from './session-port.ts'

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

/** What a server says of itself for whoever looks after all of them. */
export type NodeFacts = {
  /** Host name, process id and start, with which the ids of its workers begin. */
  process: string
  /** Of the program. */
  version: string
  /** Version of the tables that it knows; null where its data is its own. */
  schema: number | null
  /** A digest of each setting that has to be the same on all servers, null where it is not set; by environment variable. */
  settings: Readonly<Record<string, string | null>>
}
/** A server that has entered itself and has not left, alive or not. */
export type EnteredNode = LiveNode & {
  /** Null for one of a version that did not say. */
  facts: NodeFacts | null
  /** How long it has not been heard of, and how far its clock is ahead, both by the clock of the database; null as above. */
  silentMs: number | null
  clockAheadMs: number | null
  /** Whether its lease lasts, by the clock of the database, whatever its own says. */
  isAlive: boolean
  /** Pages of crawls and batches that it is working on. */
  pages: number
}

/** The servers on one database. One that does not renew its lease is taken for dead. */
export type Nodes = {
  /** Enters a server, or says that it lives on. */
  renew(node: Node & { facts: NodeFacts }, leaseMs: number): Promise<void>
  leave(id: string): Promise<void>
  /** In the order in which they started. */
  alive(): Promise<LiveNode[]>
  /** Those, and for ten minutes those that ended without leaving. */
  entered(): Promise<EnteredNode[]>
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

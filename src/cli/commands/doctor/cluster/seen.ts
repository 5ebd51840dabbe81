import type { EnteredNode } from '../../../../contracts/cluster/node.ts'
import type { Probe } from '../../../../engine/node/probe.ts'

/** A server as the database tells of it, and how it answered, where it was called. */
export type Seen = EnteredNode & { probe?: Probe }

export const hostOf = ({ facts }: EnteredNode): string | null => facts?.process.split(' ')[0] ?? null

/** By which an operator finds it: where the others reach it, or else its machine and process. */
export function nameOf(server: EnteredNode): string {
  const [host, pid] = server.facts?.process.split(' ') ?? []
  return server.url ?? (host === undefined ? server.id : `process ${pid} of ${host}`)
}

export const namesOf = (servers: readonly EnteredNode[]): string => servers.map(nameOf).join(', ')

/** Jobs come to workers by the database. */
export const isCalled = (server: EnteredNode): server is EnteredNode & { url: string } =>
  server.url !== null && server.isAlive && server.role !== 'worker'

/** A time for people. */
export function ago(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

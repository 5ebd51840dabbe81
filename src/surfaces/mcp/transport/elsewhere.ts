import { randomUUID } from 'node:crypto'
import type { Caller } from '../options.ts'

/** Sessions, and calls that wait for a person, live where they were begun. Their ids say where, so that any server can be asked. */
export type McpElsewhere = {
  /** An id of something that this server holds. */
  newId(): string
  /** Whether it is the id of something that another server holds. */
  isElsewhere(id: string): boolean
  /** The answer of the server that holds it, also that it cannot be reached; undefined when that server has ended. */
  forward(id: string, sent: { request: Request; body: Buffer }, caller: Caller): Promise<Response | undefined>
}

/** Of a server that shares nothing with others. */
export const alone: McpElsewhere = {
  newId: randomUUID,
  isElsewhere: () => false,
  forward: async () => undefined,
}

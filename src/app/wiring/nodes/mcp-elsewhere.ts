import { randomUUID } from 'node:crypto'
import type { LiveNode } from '../../../contracts/cluster/node.ts'
import { forwardedCaller, forwardPath, forwardTo } from '../../../engine/node/forward.ts'
import { nodeOfSecret } from '../../../engine/session/registry/secrets.ts'
import type { Handling, Team } from '../../../kernel/ctx.ts'

type Parts = {
  id: string
  secret: string
  find(id: string): Promise<LiveNode | undefined>
  admits(authorization: string | null): boolean
}
type Caller = { team: Team; baseUrl: string; handling?: Handling | undefined }

/** What MCP over HTTP keeps in the memory of one server, reached from all: an id begins with that of its server, as secrets do. */
export function mcpElsewhere({ id: own, secret, find, admits }: Parts) {
  return {
    elsewhere: {
      newId: () => `${own}.${randomUUID()}`,
      isElsewhere: (held: string) => (nodeOfSecret(held) ?? own) !== own,
      async forward(held: string, sent: { request: Request; body: Buffer }, caller: Caller) {
        const node = await find(nodeOfSecret(held) ?? own)
        if (node === undefined || node.url === null) return undefined
        const { team, baseUrl, handling } = caller
        const told = { team, baseUrl, ...(handling && { handling }) }
        return forwardTo({ id: node.id, url: node.url }, { ...sent, caller: told, secret })
      },
    },
    forwarded: {
      path: forwardPath,
      callerOf: (headers: Headers): Caller | undefined =>
        admits(headers.get('authorization')) ? (forwardedCaller(headers) as Caller | undefined) : undefined,
    },
  }
}

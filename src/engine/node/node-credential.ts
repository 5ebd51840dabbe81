import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** Request that a credential is valid for, in addition to its body. */
export type NodeRequest = {
  method: string
  /** Includes the query. */
  path: string
  /** Caller on whose behalf the request is sent, as encoded in its header. */
  caller: string
}
type Receiver = {
  /** Shared by all servers on a database; never sent itself. */
  secret: string
  /** Server that is called: no other accepts the credential. */
  nodeId: string
}

/** Allows for clock differences between two servers, and transit time. */
const maxAgeMs = 60_000

/** Authorization header that proves knowledge of the secret to another server. Valid once. */
export function nodeCredential(
  request: NodeRequest & { body: Uint8Array },
  { now, ...receiver }: Receiver & { now: number },
): string {
  const stamp = `${now}.${randomUUID()}.${digestOf(request.body)}`
  return `Gossamer-Node ${stamp}.${macOf(stamp, request, receiver)}`
}

export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url')

/**
 * Returns undefined if the credential of a request is invalid or used; otherwise a function that uses it up, given the
 * body of the request. That function returns false for another body, and if the credential was used meanwhile.
 */
type NodeCheck = (
  authorization: string | null,
  request: NodeRequest,
  now: number,
) => ((body: Uint8Array) => boolean) | undefined

export function createNodeCheck(receiver: Receiver): NodeCheck {
  /** Used credentials with the time until which they are valid, in order of use. */
  const used = new Map<string, number>()
  return (authorization, request, now) => {
    const [, stamp = '', at, digest, mac = ''] =
      /^Gossamer-Node ((\d{1,15})\.[\w-]{36}\.([\w-]{43}))\.([\w-]{43})$/.exec(authorization ?? '') ?? []
    if (!(Math.abs(now - Number(at)) <= maxAgeMs) || used.has(stamp)) return undefined
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(stamp, request, receiver)))) return undefined
    return (body) => {
      if (used.has(stamp) || digestOf(body) !== digest) return false
      for (const [old, until] of used) if (until < now) used.delete(old)
      used.set(stamp, Number(at) + maxAgeMs)
      return true
    }
  }
}

/** Path and caller are digested, so text in them cannot pass for another part. */
function macOf(stamp: string, { method, path, caller }: NodeRequest, { secret, nodeId }: Receiver): string {
  const parts = ['gossamer node', nodeId, stamp, method, digestOf(path), digestOf(caller)]
  return createHmac('sha256', secret).update(parts.join('\n')).digest('base64url')
}

import { createHmac, timingSafeEqual } from 'node:crypto'

/** For the clocks of two servers, and the time on the way. */
const maxAgeMs = 60_000
const scheme = 'Gossamer-Node'

type Named = {
  /** Shared by all servers on a database; it is itself never sent. */
  secret: string
  /** The server that is called: no other takes the credential. */
  nodeId: string
  now: number
}

/** The Authorization header by which one server shows another that it knows the secret. */
export const nodeCredential = ({ secret, nodeId, now }: Named): string =>
  `${scheme} ${now}.${macOf(secret, nodeId, now)}`

export function isNodeCredential(authorization: string | null, { secret, nodeId, now }: Named): boolean {
  const [, at = '', mac = ''] = /^Gossamer-Node (\d{1,15})\.([\w-]{1,64})$/.exec(authorization ?? '') ?? []
  if (at === '' || Math.abs(now - Number(at)) > maxAgeMs) return false
  const [given, wanted] = [mac, macOf(secret, nodeId, Number(at))].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const macOf = (secret: string, nodeId: string, at: number): string =>
  createHmac('sha256', secret).update(`gossamer node ${nodeId} ${at}`).digest('base64url')

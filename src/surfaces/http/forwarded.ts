import { type Door, type ForwardedCaller, forwardPath } from '../../kernel/forwarding.ts'
import { fail } from '../../kernel/error.ts'
import { readBody } from './body/input.ts'

/** Pictures and files of pages. */
const maxBytes = 256 * 1024 * 1024

/** A request as received by the server that forwarded it. */
export type Received = { request: Request; body: Uint8Array<ArrayBuffer>; caller: Partial<ForwardedCaller> }

/** Fails with UNAUTHORIZED and PAYLOAD_TOO_LARGE. */
export async function receiveForwarded(door: Door, given: Request): Promise<Received> {
  const { method, headers, url } = given
  const { pathname, search, origin } = new URL(url)
  const { caller, accepts } = door.admit({ method, path: pathname + search, headers }) ?? fail('UNAUTHORIZED')
  const body = await readBody(given, maxBytes)
  if (!accepts(body)) fail('UNAUTHORIZED')
  const address = `${caller.baseUrl ?? origin}${pathname.slice(forwardPath.length)}${search}`
  return { request: new Request(address, { method, headers }), body, caller }
}

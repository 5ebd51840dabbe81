import type { CallableOperation, Input } from '../../../call-as/request.ts'
import { callAs, type Way } from '../../../call-as/ways.ts'
import { user } from '../api.ts'

/** As it reaches this server. A file is too long to show. */
export function textAs(way: Way, operation: CallableOperation, input: Input): string | undefined {
  const shown: Input = JSON.parse(JSON.stringify(input, (name, value) => (name === 'base64' ? '…' : value)))
  return callAs(way, operation, shown, { origin: location.origin, hasKey: user !== '' })
}

import { type JSONRPCErrorResponse, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { boundedText } from '../../../kernel/error.ts'
import { isRecord } from '../../../util/json.ts'
import { maxIdLength } from './id-length.ts'

export type MessageFault = { code: ProtocolErrorCode; message: string; id: string | number | null }
/** What is wrong with a message; undefined where that is for the protocol to find out. */
export type MessageCheck = (message: unknown) => MessageFault | undefined

/** What the protocol would refuse with words that help no model, or answer at great length. */
export const messageCheck =
  (tools: readonly { name: string; example: object }[]): MessageCheck =>
  (message) => {
    if (!isRecord(message)) return undefined
    const { id, method, params } = message
    if (typeof id === 'string' && id.length > maxIdLength)
      return fault(
        ProtocolErrorCode.InvalidRequest,
        `Invalid request: an id has at most ${maxIdLength} characters`,
        null,
      )
    if (method !== 'tools/call' || !isRecord(params)) return undefined
    const { name, arguments: sent } = params
    if (sent === undefined || isRecord(sent)) return undefined
    const example = tools.find((tool) => tool.name === name)?.example ?? { url: 'https://example.com' }
    const requestId = typeof id === 'string' || typeof id === 'number' ? id : null
    const text = `Invalid params: arguments is not an object. Expected one such as ${JSON.stringify(example)}`
    return fault(ProtocolErrorCode.InvalidParams, text, requestId)
  }

const fault = (code: ProtocolErrorCode, message: string, id: string | number | null) => ({ code, message, id })

const maxMessageBytes = 8000

/** The protocol's own errors quote what was sent, with a fault for each part of it. */
export function boundedError<T extends object>(message: T): T {
  if (!('error' in message) || !isRecord(message.error)) return message
  const { code, message: text, data } = message.error as JSONRPCErrorResponse['error']
  const fits = data !== undefined && Buffer.byteLength(JSON.stringify(data)) <= maxMessageBytes
  return { ...message, error: { code, message: boundedText(text, maxMessageBytes), ...(fits && { data }) } }
}

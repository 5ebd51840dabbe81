import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'

/** Has the protocol hear messages that were answered before, first of all. Its own answers to them are dropped. */
export function replay(heard: readonly object[], transport: Transport): void {
  const answered = new Set<string | number | undefined>()
  const start = transport.start.bind(transport)
  const send = transport.send.bind(transport)
  transport.start = async () => {
    await start()
    for (const message of heard.map(parseJSONRPCMessage)) {
      if (isJSONRPCRequest(message)) answered.add(message.id)
      transport.onmessage?.(message)
    }
  }
  transport.send = async (message, options) => {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
    if (isAnswer && answered.delete(message.id)) return
    await send(message, options)
  }
}

import { Agent, request } from 'undici'
import { answerTimeoutMs, protocolVersion, resultOf, type Answer, type McpClient } from './mcp-client.ts'

type Send = (message: object) => Promise<string>

/** Speaks to an MCP endpoint over streamable HTTP on one kept-alive connection. */
export function connectHttp(url: string): McpClient {
  const send = sender(url)
  let lastId = 0
  return {
    async call(method, params) {
      const id = ++lastId
      return resultOf(method, answerTo(id, await send({ id, method, params })))
    },
    notify: async (method) => void (await send({ method })),
  }
}

function sender(url: string): Send {
  const dispatcher = new Agent({ connections: 1, allowH2: false, headersTimeout: answerTimeoutMs })
  let session: Record<string, string> = {}
  return async (message) => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': protocolVersion,
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    const text = await body.text()
    if (statusCode >= 300) throw new Error(`The MCP endpoint answered ${statusCode}: ${text.slice(0, 500)}`)
    const id = headers['mcp-session-id']
    if (typeof id === 'string') session = { 'mcp-session-id': id }
    return text
  }
}

/** The body is the answer itself, or a stream of events of which one is the answer. */
function answerTo(id: number, body: string): Answer {
  const messages = body.startsWith('{') ? [body] : body.split('\n').flatMap(dataOf)
  const answer = messages.map((message) => JSON.parse(message) as Answer).find((message) => message.id === id)
  return answer ?? { error: { message: 'the body holds no answer' } }
}

const dataOf = (line: string) => (line.startsWith('data: {') ? [line.slice('data: '.length)] : [])

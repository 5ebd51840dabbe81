import { type Agent, type ClientRequest, type IncomingMessage, request as send, type RequestOptions } from 'node:http'

/** Maximum bytes of a body kept for a second attempt. */
const maxKept = 2 ** 20

type Outcome = { answered(answer: IncomingMessage): void; failed(error: Error): void }

/**
 * Forwards a request, over a keep-alive connection if the agent has one. A site may close that connection just as the
 * request arrives, so a request without any response byte is sent again on a new connection, as browsers do. A request
 * that fails on a new connection is not repeated, because the site has refused the request itself.
 * @returns a function that cancels the request
 */
export function sendOn(
  request: IncomingMessage,
  { agent, ...options }: RequestOptions & { agent: Agent },
  { answered, failed }: Outcome,
): () => void {
  const body = keepBody(request)
  let isOver = false
  const start = (over: RequestOptions, onError: (error: Error) => void): ClientRequest =>
    send({ ...options, ...over })
      .on('response', answered)
      .on('error', onError)
  const first = start({ agent }, (error) => {
    if (isOver || !isUnanswered() || !body.isWhole()) return failed(error)
    sent = start({ createConnection: agent.createConnection }, failed)
    for (const chunk of body.chunks) sent.write(chunk)
    request.pipe(sent)
  })
  const isUnanswered = watchKept(first)
  let sent = first
  request.pipe(first)
  return () => {
    isOver = true
    sent.destroy()
  }
}

/** Returns a function that is true if the connection was reused and has received nothing since. */
function watchKept(sent: ClientRequest): () => boolean {
  let bytesBefore: number | undefined
  sent.once('socket', (socket) => {
    bytesBefore = socket.bytesRead
  })
  return () => sent.reusedSocket && sent.socket?.bytesRead === bytesBefore
}

function keepBody(request: IncomingMessage): { chunks: readonly Buffer[]; isWhole(): boolean } {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxKept) chunks.push(chunk)
    else chunks.length = 0
  })
  return { chunks, isWhole: () => bytes <= maxKept }
}

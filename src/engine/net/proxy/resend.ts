import { type Agent, type ClientRequest, type IncomingMessage, request as send, type RequestOptions } from 'node:http'

/** Maximum size of a body that is kept for a second attempt, bytes. */
const maxKept = 2 ** 20

type Outcome = { answered(answer: IncomingMessage): void; failed(error: Error): void }

/**
 * Sends a request on, over a kept connection of the agent if it has one. A site may close that one just as the request
 * arrives, so a request without any byte of an answer is sent once more on a new connection, as browsers do. A new
 * connection that fails is not replaced: there the site has refused the request itself.
 * @returns a function that ends the request
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

/** Returns a check that is true if the connection had served a request before and has received nothing since. */
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

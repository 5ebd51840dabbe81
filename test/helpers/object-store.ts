import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeNow } from './listen.ts'

const keyId = 'AKIDTEST'
const secret = 'se/cret+of the%tests'

/** Response to the next requests: `hangs` accepts them without a response, `full` refuses uploads. */
type Mood = 'well' | 'hangs' | 'busy' | 'full' | 'empty answers' | 'no store'

export type ObjectStore = {
  /** Value of the setting, with keys. */
  url: string
  /** The same without keys, and the variables that contain them. */
  plainUrl: string
  keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** Objects by path, including the bucket. */
  objects: Map<string, { bytes: Buffer; mediaType: string | undefined }>
  /** Method and path of each request with a valid signature. */
  requests: string[]
  mood: Mood
  /** Stops the server; `start` restarts it on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a minimal S3 server with put, get and delete, which verifies the signature of each request. */
export async function startObjectStore(prefix = 'kept/here'): Promise<ObjectStore> {
  let server = createServer()
  let port = 0
  const world: Pick<ObjectStore, 'objects' | 'requests' | 'mood'> = { objects: new Map(), requests: [], mood: 'well' }
  const start = async () => {
    server = createServer((request, response) => void answer(world, request, response))
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  await start()
  const query = `endpoint=http://127.0.0.1:${port}&region=here-1`
  const pair = [keyId, secret].map(encodeURIComponent).join(':')
  return Object.assign(world, {
    url: `s3://${pair}@bucket/${prefix}?${query}`,
    plainUrl: `s3://bucket/${prefix}?${query}`,
    keys: { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret },
    start,
    stop: () => closeNow(server),
  })
}

type World = Pick<ObjectStore, 'objects' | 'requests' | 'mood'>

async function answer(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { method = '', url: path = '' } = request
  if (world.mood === 'hangs') return
  const refuse = (status: number, code: string) =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
  if (world.mood === 'busy') return refuse(503, 'SlowDown')
  if (world.mood === 'no store') return void response.writeHead(404).end('<h1>Not found</h1>')
  if (!isSigned(request, body)) return refuse(403, 'SignatureDoesNotMatch')
  world.requests.push(`${method} ${path}`)
  const found = world.objects.get(path)
  if (!path.startsWith('/bucket/')) return refuse(404, 'NoSuchBucket')
  if (method === 'PUT') {
    if (world.mood === 'full') return refuse(403, 'QuotaExceeded')
    world.objects.set(path, { bytes: body, mediaType: request.headers['content-type'] })
    return void response.writeHead(200, { etag: '"x"' }).end()
  }
  if (method === 'DELETE') {
    world.objects.delete(path)
    return void response.writeHead(204).end()
  }
  if (!found) return refuse(404, 'NoSuchKey')
  response.writeHead(200).end(world.mood === 'empty answers' ? '' : found.bytes)
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/here-1\/s3\/aws4_request), SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/

/** Implemented from the specification, independent of the tested code. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers } = request
  const [, id, scope = '', day = '', list = '', signature = ''] = form.exec(String(headers.authorization)) ?? []
  const time = String(headers['x-amz-date'])
  if (id !== keyId || !time.startsWith(day) || headers['x-amz-content-sha256'] !== sha256(body)) return false
  const names = list.split(';')
  const needed = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!needed.every((name) => names.includes(name))) return false
  const key = scope
    .split('/')
    .reduce((last, part) => createHmac('sha256', last).update(part).digest(), Buffer.from(`AWS4${secret}`))
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical(request, names, body))}`
  return timingSafeEqual(createHmac('sha256', key).update(toSign).digest(), Buffer.from(signature, 'hex'))
}

function canonical({ method, url = '', headers }: IncomingMessage, names: readonly string[], body: Buffer): string {
  const [path, query = ''] = url.split('?')
  const lines = names.map((name) => `${name}:${String(headers[name])}\n`).join('')
  return `${method}\n${path}\n${query}\n${lines}\n${names.join(';')}\n${sha256(body)}`
}

/**
 * URL of a real store for the tests that need one, such as
 * `s3://KEY:SECRET@bucket/prefix?endpoint=http://127.0.0.1:9000`.
 */
// oxlint-disable-next-line node/no-process-env -- names a server of the machine
export const realStoreUrl = process.env['TEST_S3_URL']
export const noRealStore = realStoreUrl === undefined ? 'TEST_S3_URL names no store' : undefined

import type { ClientCapabilities, JSONRPCRequest } from '@modelcontextprotocol/server'
import { isRecord, parseJson } from '../../../util/json.ts'
import { knowsApps } from '../live-browser.ts'
import type { Readable, Writable } from 'node:stream'

/** Maximum characters of a request id: it is repeated in every response. */
export const maxIdLength = 256

/**
 * The `result` of each response to the first messages of a client with default settings, generated at build time
 * (`scripts/opening.ts`).
 */
export type OpeningAnswers = {
  /** By the protocol version that a client requests. */
  initialize: Results
  /** Lists for clients that started with `initialize`, by method. */
  initialized: Lists
  /** Lists for clients that identify themselves in each request, by version and method. */
  stateless: Readonly<Record<string, Lists>>
}

type Results = Readonly<Record<string, object>>

export type Lists = {
  plain: Results
  /** Responses that differ for clients that support Apps. */
  apps: Results
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const clientKey = 'io.modelcontextprotocol/clientInfo'
/** Keys of the facts about a client that sends no `initialize` but identifies itself in each request. */
const envelope = [versionKey, capabilitiesKey, clientKey]

/** Answers the first messages of one connection. */
export type Opening = {
  /** The response to a message; '' if it needs none, undefined if it is not among the precomputed ones. */
  answer(message: unknown): string | undefined
  /** Messages that the program must still process, in order. */
  replayed(): readonly object[]
}

function createOpening(answers: OpeningAnswers): Opening {
  const replayed: object[] = []
  let lists: Results | undefined

  const initialize = ({ params, ...rest }: Request): object | undefined => {
    const { protocolVersion, capabilities, clientInfo } = params ?? {}
    if (replayed.length > 0 || typeof protocolVersion !== 'string') return undefined
    if (!areCapabilities(capabilities) || !isClient(clientInfo)) return undefined
    if (!Object.hasOwn(answers.initialize, protocolVersion)) return undefined
    replayed.push({ ...rest, params })
    lists = listsFor(answers.initialized, capabilities)
    return answers.initialize[protocolVersion]
  }
  const stateless = ({ method, params }: Request): object | undefined => {
    const about = params?.['_meta']
    if (!isRecord(about) || Object.keys(params!).length > 1) return undefined
    if (Object.keys(about).length !== envelope.length || !envelope.every((key) => key in about)) return undefined
    const { [versionKey]: version, [capabilitiesKey]: capabilities, [clientKey]: client } = about
    if (typeof version !== 'string' || !Object.hasOwn(answers.stateless, version)) return undefined
    if (!areCapabilities(capabilities) || !isClient(client)) return undefined
    return own(listsFor(answers.stateless[version]!, capabilities), method)
  }
  const resultFor = (request: Request): object | undefined => {
    if (request.method === 'initialize') return initialize(request)
    if (replayed.length === 0) return stateless(request)
    if (request.params && Object.keys(request.params).length > 0) return undefined
    return request.method === 'ping' ? {} : own(lists, request.method)
  }
  return {
    answer: (message) => {
      if (isInitialized(message)) {
        if (replayed.length !== 1) return undefined
        replayed.push(message)
        return ''
      }
      if (!isRequest(message)) return undefined
      const result = resultFor(message)
      return result && JSON.stringify({ result, jsonrpc: '2.0', id: message.id })
    },
    replayed: () => replayed,
  }
}

type Request = Pick<JSONRPCRequest, 'id' | 'method'> & { params?: Record<string, unknown> }

function isRequest(message: unknown): message is Request {
  if (!isRecord(message)) return false
  const { jsonrpc, id, method, params, ...more } = message
  const isNamed = Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= maxIdLength)
  const isWhole = jsonrpc === '2.0' && isNamed && typeof method === 'string' && Object.keys(more).length === 0
  return isWhole && (params === undefined || isRecord(params))
}

const isInitialized = (message: unknown): message is object =>
  isRecord(message) && message['method'] === 'notifications/initialized' && !('id' in message)

const isClient = (client: unknown) =>
  isRecord(client) && typeof client['name'] === 'string' && typeof client['version'] === 'string'

/** True for the shape that the protocol accepts. */
const areCapabilities = (value: unknown): value is ClientCapabilities =>
  isRecord(value) &&
  Object.values(value).every(
    (ability) => isRecord(ability) && Object.values(ability).every((one) => isRecord(one) || typeof one === 'boolean'),
  )

const listsFor = ({ plain, apps }: Lists, capabilities: ClientCapabilities): Results =>
  knowsApps(capabilities) ? { ...plain, ...apps } : plain

const own = (lists: Results | undefined, method: string) =>
  lists && Object.hasOwn(lists, method) ? lists[method] : undefined

/** A longer line cannot be an opening message. */
const maxLineBytes = 64 * 1024

/**
 * Answers a client over stdio as long as the responses are precomputed. Resolves with the messages that the protocol
 * must still process; other bytes read are put back into `input`, which is paused. Resolves with undefined if the
 * client disconnected first.
 */
export function serveOpening(
  answers: OpeningAnswers,
  input: Readable,
  output: Writable,
): Promise<readonly object[] | undefined> {
  const opening = createOpening(answers)
  const { promise, resolve } = Promise.withResolvers<readonly object[] | undefined>()
  let buffered = Buffer.alloc(0)

  const leave = (replayed: readonly object[] | undefined) => {
    input.off('data', receive).off('end', onEnd).off('close', onEnd)
    input.pause()
    resolve(replayed)
  }
  const handOver = () => {
    leave(opening.replayed())
    // Not before the listener is removed: a flowing stream would emit the bytes again immediately.
    input.unshift(buffered)
  }
  const onEnd = () => leave(undefined)
  const receive = (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n')) {
      const answer = opening.answer(parseJson(buffered.toString('utf8', 0, end)))
      if (answer === undefined) return handOver()
      buffered = buffered.subarray(end + 1)
      if (answer !== '') output.write(`${answer}\n`)
    }
    if (buffered.length > maxLineBytes) handOver()
  }
  input.on('data', receive).once('end', onEnd).once('close', onEnd)
  return promise
}

import type { ClientCapabilities, JSONRPCRequest } from '@modelcontextprotocol/server'
import { isRecord, parseJson } from '../../../util/json.ts'
import { knowsApps } from '../apps.ts'
import type { Readable, Writable } from 'node:stream'

/** Characters of the id of a request: it comes back with every answer. */
export const maxIdLength = 256

/**
 * What the program answers to the first messages of a client while nobody has given it a setting, made when it is built
 * (`scripts/opening.ts`). Each answer is the `result`.
 */
export type OpeningAnswers = {
  /** By the version of the protocol that a client asks for. */
  initialize: Results
  /** To clients that began with `initialize`, by method. */
  initialized: Lists
  /** To clients that say with each request who they are, by version and method. */
  stateless: Readonly<Record<string, Lists>>
}

type Results = Readonly<Record<string, object>>

export type Lists = {
  plain: Results
  /** Those that are answered otherwise where the client knows Apps. */
  apps: Results
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const clientKey = 'io.modelcontextprotocol/clientInfo'
/** What a request of a client that sends no `initialize` says about the client. */
const envelope = [versionKey, capabilitiesKey, clientKey]

/** The beginning of one connection. */
export type Opening = {
  /** The answer to a message, '' where it needs none, undefined where only the program itself can answer. */
  answer(message: unknown): string | undefined
  /** Messages that the program has to hear all the same, in their order. */
  heard(): readonly object[]
}

function createOpening(answers: OpeningAnswers): Opening {
  const heard: object[] = []
  let lists: Results | undefined

  const initialize = ({ params, ...rest }: Request): object | undefined => {
    const { protocolVersion, capabilities, clientInfo } = params ?? {}
    if (heard.length > 0 || typeof protocolVersion !== 'string') return undefined
    if (!areCapabilities(capabilities) || !isClient(clientInfo)) return undefined
    if (!Object.hasOwn(answers.initialize, protocolVersion)) return undefined
    heard.push({ ...rest, params })
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
    if (heard.length === 0) return stateless(request)
    if (request.params && Object.keys(request.params).length > 0) return undefined
    return request.method === 'ping' ? {} : own(lists, request.method)
  }
  return {
    answer: (message) => {
      if (isInitialized(message)) {
        if (heard.length !== 1) return undefined
        heard.push(message)
        return ''
      }
      if (!isRequest(message)) return undefined
      const result = resultFor(message)
      return result && JSON.stringify({ result, jsonrpc: '2.0', id: message.id })
    },
    heard: () => heard,
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

/** What is of another shape is for the protocol to refuse. */
const areCapabilities = (value: unknown): value is ClientCapabilities =>
  isRecord(value) &&
  Object.values(value).every(
    (ability) => isRecord(ability) && Object.values(ability).every((one) => isRecord(one) || typeof one === 'boolean'),
  )

const listsFor = ({ plain, apps }: Lists, capabilities: ClientCapabilities): Results =>
  knowsApps(capabilities) ? { ...plain, ...apps } : plain

const own = (lists: Results | undefined, method: string) =>
  lists && Object.hasOwn(lists, method) ? lists[method] : undefined

/** A line that is longer is no greeting. */
const maxLineBytes = 64 * 1024

/**
 * Answers a client over stdio for as long as the answers are known beforehand. Resolves with the messages that the protocol has to hear all
 * the same; what else was read is back in `input`, which is paused. Resolves with undefined when the client has gone first.
 */
export function serveOpening(
  answers: OpeningAnswers,
  input: Readable,
  output: Writable,
): Promise<readonly object[] | undefined> {
  const opening = createOpening(answers)
  const { promise, resolve } = Promise.withResolvers<readonly object[] | undefined>()
  let held = Buffer.alloc(0)

  const leave = (heard: readonly object[] | undefined) => {
    input.off('data', receive).off('end', gone).off('close', gone)
    input.pause()
    resolve(heard)
  }
  const handOver = () => {
    leave(opening.heard())
    // Not before nobody listens: a stream that flows would say it again at once.
    input.unshift(held)
  }
  const gone = () => leave(undefined)
  const receive = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const answer = opening.answer(parseJson(held.toString('utf8', 0, end)))
      if (answer === undefined) return handOver()
      held = held.subarray(end + 1)
      if (answer !== '') output.write(`${answer}\n`)
    }
    if (held.length > maxLineBytes) handOver()
  }
  input.on('data', receive).once('end', gone).once('close', gone)
  return promise
}

import { errors } from './error-table.ts'
import { type AppError, failure } from './error.ts'

type Service = { title: string; path?: RegExp; field?: string; instead: string }

/** Services that clients of the public API ask for and that are not here, each with what answers a similar question. */
export const notOffered = {
  traces: {
    title: 'traces, snapshots and threads of agents',
    path: /^\/v2\/agent\/(?:threads|[^/]+\/(?:trace|snapshots))(?:\/|$)/,
    instead: 'GET /v2/agent/{id} returns the answer with its sources, quotes, conflicts and pages.',
  },
  research: {
    title: 'the index of papers',
    path: /^\/v2\/search\/research(?:\/|$)/,
    instead: 'POST /v2/search with categories ["research"] finds papers, and POST /v2/scrape reads one.',
  },
  developer: {
    title: 'the index of code',
    path: /^\/v2\/search\/developer(?:\/|$)/,
    instead: 'POST /v2/search with categories ["github"] finds repositories and issues.',
  },
  catalogue: {
    title: 'the catalogue of data providers',
    path: /^\/exchange(?:\/|$)/,
    field: 'alexandria',
    instead: 'POST /v2/search finds pages on any subject, and POST /v2/extract returns data of them.',
  },
  deepResearch: {
    title: 'deep research of version 1',
    path: /^\/v1\/deep-research(?:\/|$)/,
    instead: 'POST /v2/agent searches, reads and answers a question with its sources.',
  },
  uploads: {
    title: 'addresses to upload files to',
    path: /^\/v2\/parse\/upload-url(?:\/|$)/,
    instead: 'POST /v2/parse takes the file itself, as multipart/form-data.',
  },
} as const satisfies Record<string, Service>

const services: readonly Service[] = Object.values(notOffered)
const refusalOf = (service: Service | undefined): AppError | undefined =>
  service &&
  failure('FEATURE_UNAVAILABLE', {
    // Programs for the public service show the message alone.
    message: `Gossamer does not have ${service.title}. ${service.instead}`,
    hint: errors.NOT_FOUND.hint,
  })

/** The refusal of a known route that this server does not offer; undefined for an unknown route. */
export const refusalOfPath = (path: string): AppError | undefined =>
  refusalOf(services.find((service) => service.path?.test(path)))

/** The refusal of an input that asks for a service by one of its fields. */
export const refusalOfFields = (input: object): AppError | undefined =>
  refusalOf(services.find(({ field }) => field !== undefined && Object.hasOwn(input, field)))

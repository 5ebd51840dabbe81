import { z } from 'zod'
import { nodeRoles } from '../../contracts/cluster-nodes.ts'

/**
 * Storage for large content outside the database, each object under its own key, written once. Every call ends within
 * seconds and fails with OBJECT_STORE_UNAVAILABLE if the store is unreachable or refuses.
 */
export type Objects = {
  put(key: string, content: { bytes: Uint8Array; mediaType: string }): Promise<void>
  /** Returns the whole object, whose size must be known; undefined if it is missing. */
  get(key: string, size: number): Promise<Uint8Array | undefined>
  /** Succeeds even if the object is missing. */
  delete(key: string): Promise<void>
  close(): Promise<void>
}
/** Access keys, under the names that S3 clients use. */
type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** Location of a bucket. `endpoint` has no trailing slash; `prefix` has one unless it is empty. */
export type ObjectsPlace = {
  bucket: string
  prefix: string
  endpoint: string
  region: string
  credentials: Credentials | undefined
}

const parameters = ['endpoint', 'region', 'session_token']

/** Parses `s3://bucket/prefix?endpoint=…&region=…`. Throws an Error whose message does not contain the URL. */
export function parseObjectsUrl(text: string): ObjectsPlace {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[\w-][\w.-]{1,62}$/.test(url.host))
    throw new Error('takes a URL such as s3://bucket/prefix?endpoint=https://storage.example&region=eu-central-1')
  if (!/^[\w./-]*$/.test(url.pathname) || /\/\//.test(url.pathname))
    throw new Error('has a prefix that is not made of letters, digits and . _ - with single slashes')
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) throw new Error(`accepts only the parameters ${parameters.join(', ')}`)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[\w-]+$/.test(region)) throw new Error('has a region that is not made of letters, digits and _ -')
  return {
    bucket: url.host,
    prefix: url.pathname.replace(/^\/|\/$/g, '').replace(/.$/, '$&/'),
    endpoint: endpointOf(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`),
    region,
    credentials: credentialsOf(url),
  }
}

function endpointOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw new Error('has an endpoint that is not an http:// or https:// URL without credentials, query and fragment')
  return url.href.replace(/\/$/, '')
}

function credentialsOf({ username, password, searchParams }: URL): Credentials | undefined {
  if (username === '' || password === '') return undefined
  const sessionToken = searchParams.get('session_token')
  return {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    ...(sessionToken !== null && { sessionToken }),
  }
}

/** Describes the location of objects for people, without keys. */
export function objectsPlace(text: string): string {
  const { bucket, prefix, endpoint } = parseObjectsUrl(text)
  return `${bucket}/${prefix} at ${new URL(endpoint).host}`
}

/** Parses the URL of a PostgreSQL database. Throws an Error whose message does not contain the password. */
function parseDatabaseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new Error('takes a URL such as postgres://user:password@host/database')
  if (url.pathname.length < 2) throw new Error('names no database; it is the path of the URL')
  return url
}

/** Describes the location of a database for people, without user and password. */
export const databasePlace = (text: string): string => {
  const { host, pathname } = parseDatabaseUrl(text)
  return `${host}${pathname}`
}

/** Returns the schema of a text that `parse` accepts. If `parse` throws, its message becomes that of the issue. */
export const textFor = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, check) => {
    try {
      parse(text)
    } catch (error) {
      check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

/** Settings for several servers on one database. */
export const clusterSettings = {
  databaseUrl: textFor(parseDatabaseUrl)
    .optional()
    .meta({ secret: true })
    .describe(
      'PostgreSQL database for cache, jobs, keys and usage, shared by any number of servers: `postgres://user:password@host/database`; unset = a file in `dataDir`.',
    ),
  objectsUrl: textFor(parseObjectsUrl)
    .optional()
    .meta({ secret: true })
    .describe(
      'S3-compatible store for large files behind links, shared by all servers on the database: `s3://bucket/prefix?endpoint=https://host&region=name`, with its keys in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; unset = they are kept in the database.',
    ),
  role: z
    .enum(nodeRoles)
    .default('all')
    .describe(
      'What `serve` does if several servers share a database: `api` takes calls, `worker` runs the jobs that they start, `browser` runs their live browsers, `all` does everything.',
    ),
  crawlServerConcurrency: z.coerce
    .number('takes a number')
    .int('takes a whole number')
    .min(1)
    .optional()
    .describe(
      'Maximum pages of crawls and batches that this server works on at the same time; unset = limited only by their teams.',
    ),
  nodeUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'URL at which the other servers on the database reach this one, such as `http://10.0.0.5:3000`; unset = they do not call it.',
    ),
  nodeSecret: z
    .string()
    .min(16)
    .optional()
    .meta({ secret: true })
    .describe(
      'Secret that authenticates the servers on one database to each other, the same on all: callers of any server can then use the live sessions of all.',
    ),
}

type ObjectSettings = { objectsUrl?: string | undefined }
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Adds access keys and the region from the environment variables of S3 clients to the URL of the object store, unless
 * the URL contains them. Throws a ZodError if there are no keys.
 */
export function completedObjects({ objectsUrl }: ObjectSettings, env: Environment): ObjectSettings {
  if (objectsUrl === undefined) return {}
  const url = new URL(objectsUrl)
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token, AWS_REGION: region } = env
  if (region && !url.searchParams.has('region')) url.searchParams.set('region', region)
  if (parseObjectsUrl(objectsUrl).credentials) return { objectsUrl: url.href }
  if (!id || !secret)
    throw new z.ZodError([
      { code: 'custom', path: ['objectsUrl'], message: 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY', input: '' },
    ])
  url.username = encodeURIComponent(id)
  url.password = encodeURIComponent(secret)
  if (token) url.searchParams.set('session_token', token)
  return { objectsUrl: url.href }
}

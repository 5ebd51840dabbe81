/**
 * Large contents that lie outside of the database, each under a key of its own that is never written twice. Every call ends within
 * seconds: it fails with OBJECT_STORE_UNAVAILABLE where the store is gone or refuses.
 */
export type Objects = {
  put(key: string, content: { bytes: Uint8Array; mediaType: string }): Promise<void>
  /** All of it, of as many bytes as were put; undefined where nothing is there. */
  get(key: string, size: number): Promise<Uint8Array | undefined>
  /** Also of what is not there. */
  delete(key: string): Promise<void>
  close(): Promise<void>
}
/** Who calls, by the names that every program for S3 knows them by. */
export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** A bucket and where it is. `endpoint` has no slash at its end, `prefix` one unless it is empty. */
export type ObjectsPlace = {
  bucket: string
  prefix: string
  endpoint: string
  region: string
  credentials: Credentials | undefined
}

const parameters = ['endpoint', 'region', 'session_token']

/** `s3://bucket/prefix?endpoint=…&region=…`. Throws an Error that says what is wrong with it, without what it holds. */
export function parseObjectsUrl(text: string): ObjectsPlace {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[\w-][\w.-]{1,62}$/.test(url.host))
    throw new Error('takes a URL such as s3://bucket/prefix?endpoint=https://storage.example&region=eu-central-1')
  if (!/^[\w./-]*$/.test(url.pathname) || /\/\//.test(url.pathname))
    throw new Error('has a prefix with other characters than letters, digits and . _ - /')
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined)
    throw new Error(`knows ${parameters.join(', ')} behind the question mark, and nothing else`)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[\w-]+$/.test(region)) throw new Error('has a region with other characters than letters, digits and _ -')
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
    throw new Error('has an endpoint that is no plain http:// or https:// address')
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

/** Where objects lie, for people: no keys. */
export function objectsPlace(text: string): string {
  const { bucket, prefix, endpoint } = parseObjectsUrl(text)
  return `${bucket}/${prefix} at ${new URL(endpoint).host}`
}

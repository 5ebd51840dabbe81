/** The URL of a Redis or Valkey server. Throws an Error that says what is wrong with it, without its password. */
export function parseRedisUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('takes a URL such as redis://user:password@host:6379/0')
  if (!/^\/?\d*$/.test(url.pathname)) throw new Error('names no database by its number; it is the path of the URL')
  return url
}

/** Where a server is, for people: no user, no password. */
export const redisPlace = (text: string): string => {
  const { host, pathname } = parseRedisUrl(text)
  return `${host}${pathname}`
}

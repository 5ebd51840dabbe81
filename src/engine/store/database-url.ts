/** The URL of a PostgreSQL database. Throws an Error that says what is wrong with it, without its password. */
export function parseDatabaseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new Error('takes a URL such as postgres://user:password@host/database')
  if (url.pathname.length < 2) throw new Error('names no database; it is the path of the URL')
  return url
}

/** Where a database is, for people: no user, no password. */
export const databasePlace = (text: string): string => {
  const { host, pathname } = parseDatabaseUrl(text)
  return `${host}${pathname}`
}

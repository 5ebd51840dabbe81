import { portOf } from '../net/host.ts'

/** Name of the place whose limits a visit keeps: one server, whatever the scheme. */
export function hostKey(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.hostname}:${portOf(parsed)}` : ''
}

export type Answered = { status: number; body: Record<string, unknown> }
type Sent = { method?: string; body?: object; key?: string; headers?: Record<string, string>; signal?: AbortSignal }

/** A JSON request: a POST if it has a body. */
export function send(url: string, { method, body, key, headers = {}, signal }: Sent = {}): Promise<Response> {
  return fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

/** JSON of a server; a body makes it a POST. */
export async function read<T>(url: string, body?: object, key?: string): Promise<T> {
  return (await (await send(url, { ...(body && { body }), ...(key && { key }) })).json()) as T
}

/** Status and JSON of a route such as `POST /v2/browser` on a server. */
export async function call(server: string, route: string, sent: Omit<Sent, 'method'> = {}): Promise<Answered> {
  const [method = '', path = ''] = route.split(' ')
  const response = await send(server + path, { method, ...sent })
  return { status: response.status, body: (await response.json()) as Answered['body'] }
}

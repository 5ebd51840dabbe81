import http from 'node:http'
import { text } from 'node:stream/consumers'
import { closeNow, listen } from './listen.ts'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export type SigningKey = { kid: string; alg: string; privateKey: CryptoKey; publicJwk: JWK }
export type AuthorizationServer = {
  issuer: string
  /** Published keys; may be changed. */
  published: JWK[]
  /** Responses that replace the usual ones, by path. */
  answers: Map<string, Answer>
  /** Requested paths. */
  requests: string[]
  /** Token requests of clients. */
  forms: URLSearchParams[]
  close(): Promise<void>
}

export async function signingKey(alg: string, kid = `${alg}-1`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

type TokenParts = { key: SigningKey; claims: JWTPayload; header?: Record<string, unknown> }

export function signed({ key: { kid, alg, privateKey }, claims, header }: TokenParts): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header }).sign(privateKey)
}

type Answer = { status?: number; body?: string; headers?: Record<string, string> }

const usual = (body: object | null): Answer => ({ status: body ? 200 : 404, body: JSON.stringify(body) })

/** Starts an authorization server that publishes its keys and issues tokens for the requested resource and scopes. */
export async function startAuthorizationServer(key: SigningKey, path = ''): Promise<AuthorizationServer> {
  const answers: AuthorizationServer['answers'] = new Map()
  const state = { published: [key.publicJwk], requests: [] as string[], forms: [] as URLSearchParams[] }
  const server = http.createServer((request, response) => void answer(request, response))
  const { origin } = await listen(server)
  const issuer = origin + path

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = request.url ?? ''
    state.requests.push(url)
    const form = new URLSearchParams(await text(request))
    const { status, body, headers } = answers.get(url) ?? usual(await answerTo(url, form))
    response.writeHead(status ?? 200, { 'content-type': 'application/json', ...headers }).end(body)
  }

  async function answerTo(url: string, form: URLSearchParams): Promise<object | null> {
    if (url === '/keys') return { keys: state.published }
    if (url === `/.well-known/oauth-authorization-server${path}`)
      return {
        issuer,
        jwks_uri: `${origin}/keys`,
        token_endpoint: `${origin}/token`,
        authorization_endpoint: `${origin}/authorize`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      }
    if (url !== '/token') return null
    state.forms.push(form)
    const [aud, scope] = [form.get('resource') ?? '', form.get('scope') ?? '']
    const exp = Math.floor(Date.now() / 1000) + 300
    const token = await signed({ key, claims: { iss: issuer, sub: 'team-of-token', aud, scope, exp } })
    return { access_token: token, token_type: 'Bearer', expires_in: 300, scope }
  }

  return Object.assign(state, {
    issuer,
    answers,
    close: () => closeNow(server),
  })
}

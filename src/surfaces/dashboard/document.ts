import type { Team } from '../../kernel/ctx.ts'
import type { Assets } from './page/bundle-page.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page of somebody who is logged in, with a key or where none is needed. */
export function appDocument(assets: Assets, token: string, { id, key, permissions }: Team, cookie?: string) {
  const more = { headers: cookie === undefined ? {} : { 'set-cookie': cookie } }
  const isAdmin = key !== null && permissions.includes('admin')
  const facts = { token, user: key ?? '', team: id, admin: String(isAdmin) }
  const data = Object.entries(facts).map(([name, value]) => `data-${name}="${escaped(value)}"`)
  return documentOf(assets, `<div id="app" ${data.join(' ')}></div>`, more)
}

/** The way in, for which no script is needed. */
export function loginDocument(assets: Assets, fault?: 'unknown key') {
  const says = fault && '<p id="fault" class="fault" role="alert">This key is not known here, or has been revoked.</p>'
  const refers = fault ? 'aria-invalid="true" aria-describedby="fault"' : ''
  const form = login.replace('<!-- fault -->', says ?? '').replace('data-fault', refers)
  return documentOf(assets, form, { status: fault ? 401 : 200 })
}

function documentOf(
  assets: Assets,
  body: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> },
): Response {
  const html = (assets.get('index.html') ?? '').replace('<!-- body -->', () => body)
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // With no referrer at all browsers send forms without their origin.
    'referrer-policy': 'same-origin',
  }
  return new Response(html, { status, headers: { ...own, ...headers } })
}

const login = `<main class="login">
      <form method="post" action="/dashboard/login">
        <h1>Gossamer</h1>
        <p>Log in with an API key of this server. <code>gossamer keys add NAME</code> creates one.</p>
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus data-fault />
        <!-- fault -->
        <button type="submit" class="primary">Log in</button>
      </form>
    </main>`

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

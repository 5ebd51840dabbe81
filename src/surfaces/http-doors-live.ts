import type { Door } from '../core/session.ts'

/** The document that shows a session. It holds no secret but its address, which goes nowhere. */
export async function answerLive(door: Extract<Door, { kind: 'view' }>): Promise<Response> {
  const { html, contentSecurityPolicy } = await door.page()
  return document(html, contentSecurityPolicy, 200)
}

export const noLiveView = () => document(missing, "default-src 'none'; frame-ancestors *", 404)

const document = (html: string, contentSecurityPolicy: string, status: number) =>
  new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy },
  })

const missing = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No live view</title>
<h1>This live view does not exist or has ended.</h1>
<p>If the browser session is still open, ask for its live view address again.</p>
</html>
`

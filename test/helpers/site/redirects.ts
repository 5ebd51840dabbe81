import { answer, html, numberIn, type Exchange, type Routes } from './route.ts'

/** Redirects, most of them to /plain. `?to=` sets the target. */
export const redirectRoutes: Routes = {
  '/plain': html('<!doctype html><title>Plain</title><h1>Plain page</h1><p>You have arrived.</p>', {
    'x-mark': 'plain',
  }),
  '/redirect/301': answer(301, { location: '/plain' }),
  '/redirect/302': answer(302, { location: '/plain' }, 'moved'),
  '/redirect/303': answer(303, { location: '/plain' }),
  '/redirect/307': answer(307, { location: '/plain' }),
  '/redirect/308': answer(308, { location: '/plain' }),
  '/redirect/relative/deep': answer(302, { location: '../../plain?from=relative' }),
  '/redirect/to': ({ response, url }) => {
    // Node sends headers as latin1, so the target is recoded to be sent as UTF-8, as real sites do.
    const location = Buffer.from(url.searchParams.get('to') ?? '/plain').toString('latin1')
    response.writeHead(302, { location }).end()
  },
  '/redirect/loop': answer(302, { location: '/redirect/loop' }),
  '/redirect/ping': answer(302, { location: '/redirect/pong' }),
  '/redirect/pong': answer(302, { location: '/redirect/ping' }),
  '/redirect/endless/*': ({ response, url }) => {
    response.writeHead(302, { location: `/redirect/endless/${numberIn(url) + 1}` }).end()
  },
  '/redirect/chain/*': ({ response, url }) => {
    const left = numberIn(url) - 1
    response.writeHead(302, { location: left > 0 ? `/redirect/chain/${left}` : '/plain' }).end()
  },
  '/redirect/private': answer(302, { location: 'http://10.0.0.1/admin' }),
  '/redirect/metadata': answer(301, { location: 'http://169.254.169.254/latest/meta-data/' }),
  '/redirect/not-a-url': answer(302, { location: 'http://[' }),
  '/redirect/other-scheme': answer(302, { location: 'ftp://example.com/file' }),
  '/redirect/endless-body': ({ response }) => {
    response.writeHead(302, { location: '/plain' })
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  },
  '/set-cookie-redirect': gated,
  '/clear-cookie-redirect': answer(302, {
    location: '/echo-headers',
    'set-cookie': ['a=1; Path=/', 'b=2; Path=/', 'a=; Max-Age=0'],
  }),
  '/meta-refresh': html('<!doctype html><meta http-equiv="refresh" content="0; url=/plain"><p>Stay here.</p>'),
}

/** Redirects clients without the cookie once, as consent walls and bot challenges do. */
function gated(exchange: Exchange): void {
  const { request, response } = exchange
  if (request.headers.cookie?.includes('visited=yes')) return void html('<h1>Welcome back</h1>')(exchange)
  response.writeHead(302, { location: '/set-cookie-redirect', 'set-cookie': 'visited=yes; Path=/; HttpOnly' }).end()
}

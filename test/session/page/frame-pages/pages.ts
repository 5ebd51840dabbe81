import type { Routes } from '../../../helpers/site/route.ts'
import { foreign } from './foreign.ts'
import { leaving } from './leaving.ts'
import { nested } from './nested.ts'
import type { FramePage } from './parts.ts'
import { sandboxed } from './sandboxed.ts'

export const framePages: Record<string, Record<string, FramePage>> = {
  'in the process of the page': nested,
  'in a sandbox': sandboxed,
  'that leave or move': leaving,
  'of other origins': foreign,
}

export const framePageRoutes: Routes = {
  '/frames/any': ({ response, url }) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Any</title>${url.searchParams.get('body')}`)
  },
  '/frames/denied': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }).end('<p>Denied</p>')
  },
  '/frames/endless': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><p>Begun</p>')
  },
}

/**
 * The web site of the tasks on loopback, in a separate process. `/recorded` returns the accepted forms and clears the
 * list.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { login } from './facts.ts'
import { complaintsOf, formPage, registeredPage } from './site/form.ts'
import * as pages from './site/pages.ts'

type Visit = { request: IncomingMessage; response: ServerResponse; query: URLSearchParams }
type Page = (visit: Visit) => string | Promise<string | undefined> | undefined

let recorded: Record<string, string>[] = []
const searchMs = 200
const almanac = pages.almanacPage()
const handbook = pages.handbookPage()

const routes: Readonly<Record<string, Page>> = {
  '/register': async ({ request }) => {
    if (request.method !== 'POST') return formPage()
    const sent = await formOf(request)
    const complaints = complaintsOf(sent)
    if (Object.keys(complaints).length > 0) return formPage(sent, complaints)
    recorded.push(Object.fromEntries(sent))
    return registeredPage(sent)
  },
  '/login': async ({ request, response }) => {
    if (request.method !== 'POST') return pages.loginPage()
    const sent = await formOf(request)
    const isRight = sent.get('user') === login.user && sent.get('password') === login.password
    if (!isRight) return pages.loginPage('This user name or password is not right.')
    return void response.writeHead(303, { location: '/orders', 'set-cookie': 'session=ann; path=/; HttpOnly' }).end()
  },
  '/orders': ({ request, response }) =>
    request.headers.cookie?.includes('session=ann')
      ? pages.ordersPage()
      : void response.writeHead(303, { location: '/login' }).end(),
  '/shop': pages.shopPage,
  '/goods': ({ response, query }) =>
    void setTimeout(() => response.end(JSON.stringify(pages.goodsLike(query.get('q') ?? ''))), searchMs),
  '/members': ({ query }) => pages.membersPage(Number(query.get('page') ?? 1)),
  '/log': pages.logPage,
  '/insurance': pages.insurancePage,
  '/insurance/1': pages.firstStep,
  '/insurance/2': ({ query }) => pages.secondStep(query),
  '/insurance/3': ({ query }) => pages.thirdStep(query),
  '/insurance/offer': ({ query }) => pages.offerPage(query),
  '/handbook': () => handbook,
  '/almanac': () => almanac,
  '/docs': pages.docsPage,
  '/recorded': ({ response }) => {
    const all = recorded
    recorded = []
    return void response.end(JSON.stringify(all))
  },
}

const formOf = async (request: IncomingMessage) => new URLSearchParams(await text(request))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const chapter = pages.chapterPages.get(pathname)
  const page = chapter === undefined ? routes[pathname] : () => chapter
  if (!page) return void response.writeHead(404).end('There is no such page.')
  const html = await page({ request, response, query: searchParams })
  if (html !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// The parent has exited or finished.
process.stdin.resume().once('end', () => process.exit())

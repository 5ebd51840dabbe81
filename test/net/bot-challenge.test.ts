import { expect, test } from 'vitest'
import { detectBotChallenge } from '../../src/engine/net/http/bot-challenge.ts'
import { bytes } from '../helpers/fakes.ts'

type Answer = { status?: number; headers?: Record<string, string>; html?: string }
const wall = ({ status = 403, headers = {}, html = '' }: Answer) =>
  detectBotChallenge({ status, headers: { 'content-type': 'text/html', ...headers }, body: bytes(html) })

const page = (title: string, body = '') =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`
const script = (src: string) => `<script src="https://${src}"></script>`
const captcha = script('hcaptcha.com/1/api.js')
const article = 'A long and honest sentence about captchas and how they are made. '.repeat(40)

test.each<[string, string, Answer]>([
  ['Cloudflare by its header', 'Cloudflare', { headers: { 'cf-mitigated': 'challenge' } }],
  ['Cloudflare by its title', 'Cloudflare', { headers: { server: 'cloudflare' }, html: page('Just a moment...') }],
  ['Cloudflare by its script', 'Cloudflare', { html: page('x', '<script>window._cf_chl_opt={}</script>') }],
  ['DataDome', 'DataDome', { html: page('site.example', script('ct.captcha-delivery.com/c.js')) }],
  ['PerimeterX', 'PerimeterX', { html: page('Access', '<div id="px-captcha"></div>') }],
  ['AWS WAF', 'AWS WAF', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }],
  ['Akamai', 'Akamai', { html: page('Access Denied', 'You do not have permission. Reference&#32;#18.2d') }],
  ['Imperva', 'Imperva', { status: 503, html: page('', '<iframe src="/_Incapsula_Resource?x=1"></iframe>') }],
  ['Kasada', 'Kasada', { status: 429, headers: { 'x-kpsdk-ct': 'abc' } }],
  ['any provider, with status 200', 'a bot check', { status: 200, html: page('Verify you are human', captcha) }],
])('a bot challenge of %s is detected', (_, by, answer) => expect(wall(answer)).toMatchObject({ by }))

test.each<[string, Answer]>([
  ['an ordinary refusal', { html: page('Forbidden', 'No.') }],
  ['an ordinary page behind Cloudflare', { status: 200, headers: { server: 'cloudflare' }, html: page('Shop') }],
  ['an error page behind Cloudflare', { status: 404, headers: { server: 'cloudflare' }, html: page('Not found') }],
  ['a login form with a captcha', { status: 200, html: page('Log in', `<form></form>${captcha}`) }],
  ['an article about captchas', { status: 200, html: page('Captcha', `${article}${captcha}`) }],
  ['an article that names a bot protection', { status: 200, html: page('How px-captcha works', article) }],
  ['JSON that refuses', { headers: { 'content-type': 'application/json' }, html: '{"error":"px-captcha"}' }],
  ['an empty page', { status: 200 }],
])('a page without a bot challenge is recognised as such: %s', (_, answer) => expect(wall(answer)).toBeUndefined())

test('a page of unclosed tags is read in linear time', () => {
  const html = `${page('Captcha', captcha)}${'<script '.repeat(25_000)}`
  expect(wall({ status: 200, html })).toMatchObject({ kind: 'challenge' })
})

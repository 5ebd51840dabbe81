import { expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

const hero = `<section class="hero"><h1>Hives as a service</h1><p>We keep the bees, you get the honey.</p><a class="btn" href="/signup">Get started</a></section>`
const pricing = `<section class="pricing"><h2>Pricing</h2><div class="plan"><h3>Garden</h3><span>€9</span><ul><li>One hive</li></ul></div>
  <div class="plan"><h3>Farm</h3><span>€49</span><ul><li>Ten hives</li></ul></div></section>`
const praise = `<section class="testimonials"><h2>What people say</h2><blockquote>Best honey we ever had. — Carla, baker</blockquote></section>`
const logos = `<section><h2>Trusted by 2,000 bakeries</h2>${['a', 'b', 'c', 'd'].map((name) => `<img src="/${name}.svg" alt="${name}">`).join('')}</section>`
const faq = `<div class="panel-group" role="tablist"><h3>Do they sting?</h3><div class="collapse" role="tabpanel" aria-hidden="true">${prose('stings')}</div></div>`
const push = `<section><h2>Ready to get your hive?</h2><p>It takes a minute.</p><a href="/signup">Get started today</a></section>`

const body = `${hero}${logos}<section><h2>Features</h2>${prose('features')}</section>${pricing}${praise}<section><h2>FAQ</h2>${faq}</section>${push}`
const markdown = markdownOf(page(`<main>${body}</main>`), main)

it.each([
  ['the hero', 'We keep the bees'],
  ['features', 'about features'],
  ['prices', '€49'],
  ['the features of plans', 'Ten hives'],
  ['testimonials', 'Best honey we ever had'],
  ['questions', 'Do they sting?'],
  ['answers that a click shows', 'about stings'],
])('the page of a service keeps %s', (_, text) => expect(markdown).toContain(text))

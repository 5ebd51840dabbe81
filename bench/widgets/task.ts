import type { Random } from '../search/random.ts'

/**
 * One act of a scripted agent. The first word says what to do, the second to what (`button "OK"`, or a text that the
 * page shows), the third with what: a text, an option, a count or the place of a drop.
 */
export type Step = readonly [
  act: 'click' | 'fill' | 'check' | 'select' | 'drag' | 'press' | 'wait',
  what: string,
  more?: string,
]

/** A page that states a task and calls `done(isRight)`, and the acts that solve it. */
export type Task = { ask: string; body: string; script?: string; steps: readonly Step[] }
export type Kind = { name: string; make: (random: Random) => Task }

const words = [
  'Anchor',
  'Bell',
  'Canvas',
  'Deck',
  'Echo',
  'Fender',
  'Galley',
  'Hull',
  'Island',
  'Jetty',
  'Keel',
  'Lamp',
]

/** The given number of different words. */
export const some = (random: Random, count: number): [string, ...string[]] =>
  random.shuffled(words).slice(0, count) as [string, ...string[]]

/** A button that ends the task, right if the expression holds. */
export const submit = (expression: string, label = 'Submit') => ({
  html: `<br><button id="submit">${label}</button>`,
  script: `$('#submit').onclick = () => done(${expression});`,
  step: ['click', `button "${label}"`] as Step,
})

import { describe, expect, test } from 'vitest'
import { openPilotStand, type Script } from './stand.ts'
import { forAll } from '../../helpers/for-all.ts'

const stand = forAll(openPilotStand)

const click = (target: string) => ({ type: 'click', target })
const fill = (target: string, value: string) => ({ type: 'fill', target, value })
const answerWith = (pattern: RegExp) => (seen: { text: string }) => ({
  acts: [],
  answer: pattern.exec(seen.text)?.[0] ?? 'not seen',
})

const tasks: [name: string, path: string, prompt: string, output: string | RegExp, script: Script][] = [
  [
    'a login after a wrong password',
    '/act/login',
    'Log in as ann with the password secret and say what the third order costs.',
    '22.50 €',
    [
      ({ ref }) => ({
        acts: [fill(ref('"User"'), 'ann'), fill(ref('"Password"'), 'wrong'), click(ref('button "Log in"'))],
      }),
      ({ ref, text }) => {
        expect(text).toContain('Wrong user or password.')
        return { acts: [fill(ref('"Password"'), 'secret'), { type: 'press', key: 'Enter' }] }
      },
      answerWith(/22\.50 €/),
    ],
  ],
  [
    'a search',
    '/act/shop',
    'What does the brass bell cost?',
    '19.9 €',
    [
      ({ ref }) => ({
        acts: [fill(ref('searchbox'), 'bell'), { type: 'press', key: 'Enter' }, { type: 'wait', gone: 'Searching' }],
      }),
      answerWith(/19\.9 €/),
    ],
  ],
  [
    'a wizard in a frame that opens a new tab',
    '/act/wizard',
    'What does the insurance of a boat of 8 m cost?',
    '184.20 €',
    [
      ({ ref }) => ({ acts: [fill(ref('"Length'), '8'), click(ref('button "Next"'))] }),
      ({ ref }) => ({ acts: [click(ref('link "See the offer"'))] }),
      answerWith(/184\.20 €/),
    ],
  ],
  [
    'a download',
    '/pilot/download',
    'Which file is the price list?',
    'file.bin',
    [({ ref }) => ({ acts: [click(ref('Price list'))] }), answerWith(/file\.bin/)],
  ],
  [
    'a link to another site that the task names',
    '/pilot/links',
    'Follow the boat manual and say what to grease.',
    'Grease the winch',
    [({ ref }) => ({ acts: [click(ref('"Boat manual"'))] }), answerWith(/Grease the winch/)],
  ],
]

test.each(tasks)('a task succeeds: %s', async (_, path, prompt, output, script) => {
  const done = await stand.run(path, prompt, script)
  expect(done).toMatchObject({ output: expect.stringMatching(output), isOutOfTime: false })
  expect(done).not.toHaveProperty('error')
  expect(done.steps.every(({ acts }) => acts.length > 0)).toBe(true)
  expect(done.snapshot).toContain('127.0.0.1')
})

describe('a frame of another site', () => {
  test('is shown without content if the task does not name that site, and accepts no input', async () => {
    const done = await stand.run('/pilot/framed', 'What is the notice period?', [
      ({ text }) => ({ acts: [{ type: 'click', target: 'button "Accept"' }], note: text.split('The page now:')[1] }),
      ({ ref }) => ({ acts: [click(ref('iframe "Terms"'))] }),
      () => ({
        acts: [
          { type: 'press', key: 'Tab' },
          { type: 'type', value: 'Ann' },
        ],
      }),
      () => ({ acts: [{ type: 'press', key: 'Enter' }] }),
      ({ text }) => ({ acts: [], answer: text }),
    ])
    expect(done.output).toMatch(/iframe "Terms" e\d+ http:\S+ \(of a site that the task does not name\)/)
    expect(done.output).not.toMatch(/nine weeks|Accepted|Ann/)
    expect(done.questions[1]).toContain('No visible element matches "button "Accept""')
    for (const text of done.questions.slice(2))
      expect(text).toContain('That frame is of a site that the task does not name')
  })

  test('is read and filled if the task names that site', async () => {
    const done = await stand.run('/pilot/framed', `Sign the terms of ${stand.other.origin} as Ann.`, [
      ({ ref }) => ({ acts: [fill(ref('"Name"'), 'Ann'), click('button "Accept"')] }),
      answerWith(/Accepted by Ann/),
    ])
    expect(done.questions[0]).toContain('nine weeks')
    expect(done.output).toBe('Accepted by Ann')
  })
})

test('the model sees only the newest page in full, and no password that it typed', async () => {
  const { questions } = await stand.run('/act/login', 'Log in as ann.', [
    ({ ref }) => ({ acts: [fill(ref('"User"'), 'ann'), fill(ref('"Password"'), 'secret')] }),
    () => ({ acts: [{ type: 'press', key: 'Enter' }] }),
    () => ({ acts: [], answer: 'done' }),
  ])
  expect(questions[1]).toContain('= "•••"')
  expect(questions[2]).toContain('Your orders')
  expect(questions[2]).toMatch(/1\. fill e\d+, fill e\d+: done\n2\. press Enter: done/)
  expect(questions[2]).not.toContain('textbox "User"')
  for (const text of questions) expect(text).not.toContain('secret')
})

test('acts are reported to callers and viewers, without typed text', async () => {
  const { announced, progress, steps } = await stand.run('/act/login', 'Log in as ann.', [
    ({ ref }) => ({ acts: [fill(ref('"User"'), 'ann'), click('button "Log in"')] }),
    () => ({ acts: [], answer: 'done' }),
  ])
  expect(announced).toEqual([expect.stringMatching(/^fill e\d+$/), 'click'])
  expect(progress).toEqual([expect.stringMatching(/^Step 1: fill e\d+, click$/)])
  expect(steps).toEqual([{ acts: announced, ok: true }])
})

describe('tasks for a person', () => {
  const script: Script = [({ ref }) => ({ acts: [click(ref('Continue'))] }), () => ({ acts: [], answer: 'done' })]

  test('end with the URL of the live view if no person can be asked', async () => {
    const done = await stand.run('/pilot/captcha', 'Continue.', script)
    expect(done).toMatchObject({
      needsPerson: { reason: 'captcha', outcome: 'waiting', url: 'http://here/live/k' },
      error: expect.stringContaining('needs a person'),
    })
  })

  test('are requested from a person, by the page or by the model', async () => {
    const messages: string[] = []
    const askPerson = async ({ message }: { message: string }) => {
      messages.push(message)
      return 'done' as const
    }
    const asking: Script = [() => ({ acts: [], askPerson: 'Log in, please.' }), ...script]
    const done = await stand.run('/pilot/captcha', 'Continue.', asking, { askPerson })
    expect(done.output).toBe('done')
    expect(messages).toEqual(['Log in, please.', expect.stringContaining('captcha')])
  })
})

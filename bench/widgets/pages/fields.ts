import { type Kind, some, type Step, submit } from '../task.ts'

type Made = { ask: string; label?: string; attributes?: string; value: string; shown?: string }

/** A labelled field, with the value that it must have at the end. */
const field = (name: string, make: (word: string, number: number) => Made): Kind => ({
  name,
  make(random) {
    const { ask, label = 'Text', attributes = '', value, shown = '' } = make(some(random, 1)[0], random.below(8) + 2)
    const end = submit(`$('#field').value === '${value}'`)
    return {
      ask: `${ask} Then click Submit.`,
      body: `${shown}<label>${label} <input id="field" ${attributes}></label>${end.html}`,
      script: end.script,
      steps: [['fill', label, value], end.step],
    }
  },
})

const filled = (values: Readonly<Record<string, string>>): Step[] =>
  Object.entries(values).map(([label, value]) => ['fill', label, value])
const hold = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([label, value]) => `$('[aria-label="${label}"], #${label.toLowerCase()}').value === '${value}'`)
    .join(' && ')

const login = (name: string, popup: string): Kind => ({
  name,
  make(random) {
    const values = { Username: some(random, 1)[0].toLowerCase(), Password: `tide-${random.below(90) + 10}` }
    const end = submit(hold(values), 'Login')
    const closing: Step[] = popup === '' ? [] : [['click', 'button "Not now"']]
    return {
      ask: `Log in as ${values.Username} with the password ${values.Password}.`,
      body: `<label>Username <input id="username"></label><label>Password <input id="password" type="password"></label>${end.html}${popup}`,
      script: `${end.script} if ($('#popup')) $('#popup button').onclick = () => $('#popup').remove();`,
      steps: [...closing, ...filled(values), end.step],
    }
  },
})

export const fields: readonly Kind[] = [
  field('enter-text', (word) => ({ ask: `Enter ${word} into the text field.`, value: word })),
  field('enter-text-2', (word) => ({ ask: `Enter ${word.toUpperCase()} in upper case.`, value: word.toUpperCase() })),
  field('enter-date', (_word, day) => ({
    ask: `Enter 2027-05-0${day}.`,
    label: 'Date',
    attributes: 'type="date"',
    value: `2027-05-0${day}`,
  })),
  field('enter-time', (_word, hour) => ({
    ask: `Enter 0${hour}:30.`,
    label: 'Time',
    attributes: 'type="time"',
    value: `0${hour}:30`,
  })),
  field('simple-arithmetic', (_word, one) => ({ ask: `${one} + 17 = ?`, label: 'Answer', value: String(one + 17) })),
  field('simple-algebra', (_word, one) => ({
    ask: `x - ${one} = 40. What is x?`,
    label: 'x',
    value: String(one + 40),
  })),
  field('find-word', (word) => ({
    ask: 'Enter the third word of the text.',
    shown: `<p>Under the ${word} waits the crew.</p>`,
    value: word,
  })),
  field('read-table', (word, price) => ({
    ask: `Enter the price of ${word}.`,
    shown: `<table><tr><td>Rope</td><td>31</td></tr><tr><td>${word}</td><td>${price * 7}</td></tr></table>`,
    value: String(price * 7),
  })),
  field('unicode-test', (word) => ({ ask: `Enter ${word}→日本ü.`, value: `${word}→日本ü` })),
  login('login-user', ''),
  login('login-user-popup', '<div id="popup" class="box">Join our newsletter! <button>Not now</button></div>'),
  {
    name: 'enter-password',
    make(random) {
      const value = `rope-${random.below(900) + 100}`
      const values = { Password: value, Again: value }
      const end = submit(hold(values))
      return {
        ask: `Enter the password ${value} into both fields and click Submit.`,
        body: `<label>Password <input id="password" type="password"></label><label>Again <input id="again" type="password"></label>${end.html}`,
        script: end.script,
        steps: [...filled(values), end.step],
      }
    },
  },
  {
    name: 'enter-text-dynamic',
    make(random) {
      const [value] = some(random, 1)
      const end = submit(`$('#field').value === '${value}'`)
      return {
        ask: `Wait for the field, enter ${value} and click Submit.`,
        body: `<div id="late"></div>${end.html}`,
        script: `setTimeout(() => { $('#late').innerHTML = '<label>Text <input id="field"></label>' }, 400); ${end.script}`,
        steps: [['wait', 'Text'], ['fill', 'Text', value], end.step],
      }
    },
  },
  {
    name: 'multi-layouts',
    make(random) {
      const [title, year] = [some(random, 1)[0], String(1980 + random.below(40))]
      const values = { Title: title, Year: year }
      const end = submit(hold(values))
      const rows = random
        .shuffled(['Director', 'Year', 'Title'])
        .map((each) => `<tr><td>${each}</td><td><input aria-label="${each}"></td></tr>`)
      return {
        ask: `Fill in the title ${title} and the year ${year}, and click Submit.`,
        body: `<table>${rows.join('')}</table>${end.html}`,
        script: end.script,
        steps: [...filled(values), end.step],
      }
    },
  },
  {
    name: 'copy-paste',
    make(random) {
      const text = some(random, 6).join(' and ')
      const end = submit(`$('#into').value === '${text}'`)
      return {
        ask: 'Copy the text of the first area into the field below and click Submit.',
        body: `<textarea aria-label="From" readonly>${text}</textarea><label>Into <input id="into"></label>${end.html}`,
        script: end.script,
        steps: [['fill', 'Into', text], end.step],
      }
    },
  },
]

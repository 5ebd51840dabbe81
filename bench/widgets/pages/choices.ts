import { type Kind, some, submit } from '../task.ts'

const listen = (selector: string, wanted: string) =>
  `all('${selector}').forEach((each) => each.onclick = () => done(each.textContent === '${wanted}'));`
const boxes = (names: readonly string[], type: string) =>
  names.map((name) => `<label><input type="${type}" name="one" value="${name}">${name}</label><br>`).join('')
const checkedAre = (wanted: readonly string[]) =>
  `all('input:checked').map((each) => each.value).sort().join() === '${wanted.toSorted().join()}'`

const checkboxes = (name: string, count: number, wantedCount: number): Kind => ({
  name,
  make(random) {
    const all = some(random, count)
    const wanted = all.slice(0, wantedCount)
    const end = submit(checkedAre(wanted))
    return {
      ask: `Select ${wanted.join(', ')} and click Submit.`,
      body: boxes(random.shuffled(all), 'checkbox') + end.html,
      script: end.script,
      steps: [...wanted.map((each) => ['check', `checkbox "${each}"`] as const), end.step],
    }
  },
})

const select = (name: string, attributes: string): Kind => ({
  name,
  make(random) {
    const [wanted, ...others] = some(random, 9)
    const end = submit(`$('select').value === '${wanted}'`)
    const options = random.shuffled([wanted, ...others]).map((each) => `<option>${each}</option>`)
    return {
      ask: `Select ${wanted} from the list and click Submit.`,
      body: `<select ${attributes}>${options.join('')}</select>${end.html}`,
      script: end.script,
      steps: [['select', attributes === '' ? 'combobox' : 'listbox', wanted], end.step],
    }
  },
})

export const choices: readonly Kind[] = [
  {
    name: 'click-button',
    make(random) {
      const [wanted, ...others] = some(random, 5)
      const buttons = random.shuffled([wanted, ...others]).map((each) => `<button>${each}</button> `)
      const steps = [['click', `button "${wanted}"`]] as const
      return { ask: `Click the ${wanted} button.`, body: buttons.join(''), script: listen('button', wanted), steps }
    },
  },
  {
    name: 'click-button-sequence',
    make: () => ({
      ask: 'Click button ONE, then click button TWO.',
      body: '<button id="b2">TWO</button> <button id="b1">ONE</button>',
      script: 'let one = false; $("#b1").onclick = () => { one = true }; $("#b2").onclick = () => done(one);',
      steps: [
        ['click', 'button "ONE"'],
        ['click', 'button "TWO"'],
      ],
    }),
  },
  {
    name: 'click-link',
    make(random) {
      const [wanted, ...others] = some(random, 6)
      const body = random.shuffled([wanted, ...others]).map((each) => `the <span class="alink">${each}</span> of it, `)
      return {
        ask: `Click the link ${wanted}.`,
        body: body.join(''),
        script: listen('.alink', wanted),
        steps: [['click', wanted]],
      }
    },
  },
  checkboxes('click-checkboxes', 5, 2),
  checkboxes('click-checkboxes-large', 12, 7),
  {
    name: 'click-option',
    make(random) {
      const [wanted, ...others] = some(random, 5)
      const end = submit(checkedAre([wanted]))
      return {
        ask: `Select ${wanted} and click Submit.`,
        body: boxes(random.shuffled([wanted, ...others]), 'radio') + end.html,
        script: end.script,
        steps: [['check', `radio "${wanted}"`], end.step],
      }
    },
  },
  select('choose-list', ''),
  select('click-scroll-list', 'size="4"'),
  {
    name: 'click-dialog',
    make: () => ({
      ask: 'Close the dialog box by clicking the x.',
      body: '<div role="dialog" class="box">Rig report <button title="Close">×</button></div>',
      script: '$("button").onclick = () => done(true);',
      steps: [['click', 'button "×"']],
    }),
  },
  {
    name: 'click-dialog-2',
    make(random) {
      const wanted = random.one(['OK', 'Cancel'])
      return {
        ask: `Click the button in the dialog box labeled ${wanted}.`,
        body: '<div class="box">The tide turns.<br><button>OK</button><button>Cancel</button><button>x</button></div>',
        script: listen('button', wanted),
        steps: [['click', `button "${wanted}"`]],
      }
    },
  },
  {
    name: 'click-color-label',
    make(random) {
      const wanted = random.one(['red', 'blue', 'green', 'black'])
      const cells = ['red', 'blue', 'green', 'black'].map(
        (each) => `<div class="alink" style="color:${each}">${each}</div>`,
      )
      return {
        ask: `Click ${wanted}.`,
        body: cells.join(''),
        script: listen('.alink', wanted),
        steps: [['click', wanted]],
      }
    },
  },
  {
    name: 'click-test-transfer',
    make: () => ({
      ask: 'Click the button.',
      body: '<div tabindex="0" class="alink">Click Me!</div>',
      script: '$(".alink").onclick = () => done(true);',
      steps: [['click', 'Click Me!']],
    }),
  },
]

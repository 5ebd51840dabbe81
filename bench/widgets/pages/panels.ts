import { type Kind, some, submit } from '../task.ts'

const toggles = `all('.head').forEach((each) => each.onclick = () => {
  all('.panel').forEach((panel) => panel.hidden = panel !== each.nextElementSibling) });`
const linkEnds = (wanted: string) =>
  `all('.panel .alink').forEach((each) => each.onclick = () => done(each.textContent === '${wanted}'));`
const tabs = (contents: readonly string[]) =>
  `<ul>${contents.map((_each, at) => `<li><a href="#" class="tab">Tab ${at + 1}</a></li>`).join('')}</ul>` +
  contents.map((each, at) => `<div class="panel" ${at > 0 ? 'hidden' : ''}>${each}</div>`).join('')
const tabScript = `all('.tab').forEach((each, at) => each.onclick = () => all('.panel').forEach((panel, of) => panel.hidden = of !== at));`
const links = (names: readonly string[]) => names.map((each) => `<span class="alink">${each}</span> `).join('')

const leaf = (each: string) => `<li class="leaf">${each}</li>`

/** Nested menus, shown when their item is clicked or hovered. */
const tree = (name: string, ask: (wanted: string) => string): Kind => ({
  name,
  make(random) {
    const [outer, inner, wanted, ...others] = some(random, 7) as [string, string, string, ...string[]]
    return {
      ask: ask(wanted),
      body: `<ul class="menu">${leaf(others[0]!)}<li class="node"><span>${outer}</span><ul hidden>${leaf(others[1]!)}
        <li class="node"><span>${inner}</span><ul hidden>${leaf(others[2]!)}${leaf(wanted)}</ul></li></ul></li>${leaf(others[3]!)}</ul>`,
      script: `all('.node > span').forEach((each) => each.onclick = () => { each.nextElementSibling.hidden = false });
        all('.leaf').forEach((each) => each.onclick = () => done(each.textContent === '${wanted}'));`,
      steps: [
        ['click', outer],
        ['click', inner],
        ['click', wanted],
      ],
    }
  },
})

export const panels: readonly Kind[] = [
  {
    name: 'click-tab',
    make(random) {
      const wanted = random.below(2) + 2
      return {
        ask: `Click on Tab ${wanted}.`,
        body: tabs(['Morning', 'Noon', 'Evening']),
        script: `all('.tab').forEach((each) => each.onclick = () => done(each.textContent === 'Tab ${wanted}'));`,
        steps: [['click', `Tab ${wanted}`]],
      }
    },
  },
  {
    name: 'click-tab-2',
    make(random) {
      const all = some(random, 9)
      const wanted = all[7]!
      return {
        ask: `Find and click the link ${wanted} in one of the tabs.`,
        body: tabs([0, 3, 6].map((at) => links(all.slice(at, at + 3)))),
        script: tabScript + linkEnds(wanted),
        steps: [
          ['click', 'Tab 2'],
          ['click', 'Tab 3'],
          ['click', wanted],
        ],
      }
    },
  },
  {
    name: 'click-collapsible',
    make() {
      const end = submit('true')
      return {
        ask: 'Expand the section and click Submit.',
        body: `<h3 class="head">Section one</h3><div class="panel" hidden>Sails ${end.html}</div>`,
        script: toggles + end.script,
        steps: [['click', 'Section one'], end.step],
      }
    },
  },
  {
    name: 'click-collapsible-2',
    make(random) {
      const all = some(random, 6)
      const wanted = all[3]!
      const section = (at: number) =>
        `<h3 class="head">Section ${at}</h3><div class="panel" hidden>${links(all.slice(at * 2 - 2, at * 2))}</div>`
      return {
        ask: `Expand the sections to find and click the link ${wanted}.`,
        body: [1, 2, 3].map(section).join(''),
        script: toggles + linkEnds(wanted),
        steps: [
          ['click', 'Section 1'],
          ['click', 'Section 2'],
          ['click', wanted],
        ],
      }
    },
  },
  tree('click-menu', (wanted) => `Select ${wanted} in the menu.`),
  tree('navigate-tree', (wanted) => `Find and click the file ${wanted}.`),
  {
    name: 'click-menu-2',
    make(random) {
      const wanted = random.one(['Save', 'Print', 'Zoom'])
      return {
        ask: `Click the Menu button, then ${wanted}.`,
        body: '<button id="menu">Menu</button><div id="items" hidden><div>Save</div><div>Print</div><div>Zoom</div></div>',
        script: `$('#menu').onclick = () => { $('#items').hidden = false };
          all('#items div').forEach((each) => each.onclick = () => done(each.textContent === '${wanted}'));`,
        steps: [
          ['click', 'button "Menu"'],
          ['click', wanted],
        ],
      }
    },
  },
  {
    name: 'choose-date',
    make(random) {
      const day = random.below(27) + 1
      return {
        ask: `Choose ${day} March and click Submit.`,
        body: `<input id="day" readonly aria-label="Date"><div id="picker" hidden><a title="Prev">‹</a> <b id="month"></b> <a title="Next">›</a>
          <table><tbody></tbody></table></div>${submit('').html}`,
        script: `let at = 0; const months = ['January', 'February', 'March'];
          const draw = () => { $('#month').textContent = months[at]; $('tbody').innerHTML = [0, 1, 2, 3].map((week) => '<tr>' + [1, 2, 3, 4, 5, 6, 7].map((each) => '<td><a href="#">' + (week * 7 + each) + '</a></td>').join('') + '</tr>').join('');
            all('td a').forEach((each) => each.onclick = () => { $('#day').value = each.textContent + ' ' + months[at]; $('#picker').hidden = true }) };
          $('#day').onclick = () => { $('#picker').hidden = false; draw() };
          all('#picker > a').forEach((each) => { each.style.cursor = 'pointer'; each.onclick = () => { at += each.title === 'Next' ? 1 : -1; draw() } });
          ${submit(`$('#day').value === '${day} March'`).script}`,
        steps: [
          ['click', 'textbox "Date"'],
          ['click', '›'],
          ['click', '›'],
          ['click', `link "${day}"`],
          submit('').step,
        ],
      }
    },
  },
  {
    name: 'use-spinner',
    make(random) {
      const value = random.below(5) + 1
      const end = submit(`$('#value').textContent === '${value}'`)
      return {
        ask: `Set the number to ${value} and click Submit.`,
        body: `<span id="value">0</span> <a class="up" href="#">▲</a> <a href="#">▼</a>${end.html}`,
        script: `$('.up').onclick = () => { $('#value').textContent = Number($('#value').textContent) + 1 }; ${end.script}`,
        steps: [...Array.from({ length: value }, () => ['click', '▲'] as const), end.step],
      }
    },
  },
  {
    name: 'use-slider',
    make(random) {
      const value = random.below(6) + 2
      const end = submit(`at === ${value}`)
      return {
        ask: `Move the slider to ${value} with the keyboard and click Submit.`,
        body: `<div class="rail"><span class="handle" tabindex="0"></span></div><span id="value">0</span>${end.html}`,
        script: `let at = 0; $('.handle').onkeydown = ({ key }) => { at += key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0; $('#value').textContent = at }; ${end.script}`,
        steps: [['press', 'Tab'], ['press', 'ArrowRight', String(value)], end.step],
      }
    },
  },
]

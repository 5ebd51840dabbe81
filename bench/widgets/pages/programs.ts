import { type Kind, some, submit } from '../task.ts'

export const programs: readonly Kind[] = [
  {
    name: 'email-inbox',
    make(random) {
      const [wanted, ...others] = some(random, 4)
      const mails = random.shuffled([wanted, ...others]).map((each) => `<div class="mail">${each}</div>`)
      return {
        ask: `Open the mail from ${wanted} and delete it.`,
        body: `<div id="inbox">${mails.join('')}</div><div id="open" hidden><b></b> <span class="trash">🗑</span> <span>★</span></div>`,
        script: `all('.mail').forEach((each) => each.onclick = () => { $('#inbox').hidden = true; $('#open').hidden = false; $('b').textContent = each.textContent });
          $('.trash').onclick = () => done($('b').textContent === '${wanted}');`,
        steps: [
          ['click', wanted],
          ['click', '🗑'],
        ],
      }
    },
  },
  {
    name: 'email-inbox-reply',
    make(random) {
      const [wanted, text, ...others] = some(random, 5) as [string, string, ...string[]]
      const mails = random.shuffled([wanted, ...others]).map((each) => `<div class="mail">${each}</div>`)
      const end = submit(`from === '${wanted}' && $('#text').value === '${text}'`, 'Send')
      return {
        ask: `Open the mail from ${wanted} and answer with ${text}.`,
        body: `<div id="inbox">${mails.join('')}</div><div id="open" hidden><textarea id="text" placeholder="Reply"></textarea>${end.html}</div>`,
        script: `let from = ''; all('.mail').forEach((each) => each.onclick = () => { from = each.textContent; $('#inbox').hidden = true; $('#open').hidden = false }); ${end.script}`,
        steps: [['click', wanted], ['fill', 'Reply', text], end.step],
      }
    },
  },
  {
    name: 'search-engine',
    make(random) {
      const all = some(random, 9)
      const wanted = all[6]!
      return {
        ask: `Search for boats, and open the result ${wanted}.`,
        body: '<label>Search <input id="query"></label> <button id="go">Go</button><div id="results"></div>',
        script: `const results = ${JSON.stringify(all)}; let page = 0;
          const draw = () => { $('#results').innerHTML = results.slice(page * 3, page * 3 + 3).map((each) => '<div><a href="#" class="result">' + each + '</a></div>').join('') + (page < 2 ? '<a href="#" id="more">Next page</a>' : '');
            all('.result').forEach((each) => each.onclick = () => done(each.textContent === '${wanted}'));
            if ($('#more')) $('#more').onclick = () => { page += 1; draw() } };
          $('#go').onclick = () => { if ($('#query').value === 'boats') draw() };`,
        steps: [
          ['fill', 'Search', 'boats'],
          ['click', 'button "Go"'],
          ['click', 'Next page'],
          ['click', 'Next page'],
          ['click', wanted],
        ],
      }
    },
  },
  {
    name: 'use-autocomplete',
    make(random) {
      const [wanted] = some(random, 1)
      const end = submit(`$('#tags').value === '${wanted}' && isChosen`)
      return {
        ask: `Choose ${wanted} among the suggestions and click Submit.`,
        body: `<label>Tags <input id="tags"></label><ul id="list"></ul>${end.html}`,
        script: `let isChosen = false; const names = ['${wanted}', '${wanted} house', 'North ${wanted}'];
          $('#tags').oninput = () => setTimeout(() => { $('#list').innerHTML = names.filter((each) => each.startsWith($('#tags').value)).map((each) => '<li>' + each + '</li>').join('');
            all('li').forEach((each) => { each.style.cursor = 'pointer'; each.onclick = () => { $('#tags').value = each.textContent; isChosen = true; $('#list').innerHTML = '' } }) }, 200); ${end.script}`,
        steps: [['fill', 'Tags', wanted.slice(0, 3)], ['wait', `${wanted} house`], ['click', wanted], end.step],
      }
    },
  },
  {
    name: 'social-media',
    make(random) {
      const [person] = some(random, 1)
      return {
        ask: `Block ${person}.`,
        body: `<div><b>${person}</b> The tide is out. <span class="alink">More</span><ul hidden><li>Share</li><li class="block">Block ${person}</li></ul></div>`,
        script: `$('.alink').onclick = () => { $('ul').hidden = false }; all('li').forEach((each) => each.onclick = () => done(each.className === 'block'));`,
        steps: [
          ['click', 'More'],
          ['click', `Block ${person}`],
        ],
      }
    },
  },
  {
    name: 'form-sequence',
    make(random) {
      const [option, text] = some(random, 2) as [string, string]
      const end = submit(`$('select').value === '${option}' && $('#agree').checked && $('#note').value === '${text}'`)
      return {
        ask: `Choose ${option}, accept, note ${text}, and click Submit.`,
        body: `<select aria-label="Boat"><option>None</option><option>${option}</option></select><label><input id="agree" type="checkbox">I accept</label><label>Note <textarea id="note"></textarea></label>${end.html}`,
        script: end.script,
        steps: [
          ['select', 'combobox "Boat"', option],
          ['check', 'checkbox "I accept"'],
          ['fill', 'Note', text],
          end.step,
        ],
      }
    },
  },
  {
    name: 'drag-item',
    make(random) {
      const [wanted, ...others] = some(random, 3)
      const items = random.shuffled([wanted, ...others]).map((each) => `<div class="item">${each}</div>`)
      return {
        ask: `Drag ${wanted} into the box.`,
        body: `${items.join('')}<div id="box" tabindex="0" class="box">Drop here</div>`,
        script: `let held = ''; all('.item').forEach((each) => { each.style.cursor = 'move'; each.onmousedown = (event) => { held = each.textContent; event.preventDefault() } });
          $('#box').onmouseup = () => done(held === '${wanted}');`,
        steps: [['drag', wanted, 'Drop here']],
      }
    },
  },
]

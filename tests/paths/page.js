// Colours the charts, and narrows the paths to those through the transition that is chosen.
for (const section of document.querySelectorAll('section')) {
  const drawing = section.querySelector('.drawing')
  const outcomes = new Map(JSON.parse(drawing.dataset.outcomes))
  const arrows = [...drawing.querySelectorAll('.transition')]
  const rows = [...section.querySelectorAll('tr[data-transition]')]
  for (const arrow of arrows) arrow.classList.add(outcomes.get(arrow.dataset.transition))
  let chosen = null
  const choose = (id) => {
    chosen = chosen === id ? null : id
    for (const one of [...arrows, ...rows]) one.classList.toggle('chosen', one.dataset.transition === chosen)
    for (const button of section.querySelectorAll('tr button'))
      button.setAttribute('aria-pressed', String(button.closest('tr').dataset.transition === chosen))
    for (const paths of section.querySelectorAll('.paths')) {
      const all = [...paths.querySelectorAll(':scope > ul > li')]
      for (const one of all) one.hidden = chosen !== null && !one.dataset.taken.split('\n').includes(chosen)
      const left = all.filter((one) => !one.hidden).length
      const note = paths.querySelector('.narrowed')
      note.hidden = chosen === null
      note.textContent = `${left} of ${all.length} take ${chosen}`
    }
  }
  for (const arrow of arrows) arrow.addEventListener('click', () => choose(arrow.dataset.transition))
  for (const row of rows)
    row.querySelector('button').addEventListener('click', () => choose(row.dataset.transition))
}

import type { ReactNode } from 'react'

/** The questions and answers of the Blogs page, in display order. */
export const questions: { id: string; question: string; answer: ReactNode }[] = [
  {
    id: 'performance',
    question: 'How can you improve the performance of a React application?',
    answer: (
      <>
        <p>
          Measure first, with the Profiler of React’s developer tools and with the figures browsers
          report for real visits. Most slow applications are slow for one of these reasons:
        </p>
        <ul>
          <li>
            <strong>Too much script.</strong> Split the code by route, load heavy parts with{' '}
            <code>lazy</code> when they are needed, and send HTML rendered on the server so that
            people see the page before the script has arrived.
          </li>
          <li>
            <strong>Too many renders.</strong> Keep state close to where it is used, pass components
            as <code>children</code>, and where a measurement shows that it pays, skip work with{' '}
            <code>memo</code>, <code>useMemo</code> and <code>useCallback</code>, or let the React
            Compiler add them.
          </li>
          <li>
            <strong>Too many elements.</strong> Render only the rows that can be seen of a long
            list, and give rows stable keys so that React moves them instead of recreating them.
          </li>
          <li>
            <strong>Blocking work.</strong> Mark updates that may wait with{' '}
            <code>startTransition</code> or <code>useDeferredValue</code>, so that typing stays
            immediate.
          </li>
          <li>
            <strong>Waiting for data.</strong> Ask for it in parallel and before rendering, and keep
            the answers in a cache.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'state',
    question: 'What are the ways to manage state in a React application?',
    answer: (
      <>
        <p>Which way fits depends on who owns the state and who needs it.</p>
        <ul>
          <li>
            <strong>Local state</strong>, with <code>useState</code> or, when the next state follows
            rules, <code>useReducer</code>. Start here.
          </li>
          <li>
            <strong>Shared state</strong>: lift it to the nearest common parent and pass it down.
            Context spares passing what rarely changes, such as a theme, through every level.
          </li>
          <li>
            <strong>Server state</strong>: a copy of something that lives elsewhere and goes stale.
            A library such as TanStack Query keeps, refreshes and retries it.
          </li>
          <li>
            <strong>State in the address</strong>: filters, pages and tabs belong in the URL, so
            that they can be reloaded and shared.
          </li>
          <li>
            <strong>Application-wide client state</strong>: a store such as Redux Toolkit or
            Zustand, connected by <code>useSyncExternalStore</code>, when many distant components
            change the same thing.
          </li>
        </ul>
        <p>What can be calculated from other state should not be state at all.</p>
      </>
    ),
  },
  {
    id: 'prototypes',
    question: 'How does prototypal inheritance work?',
    answer: (
      <>
        <p>
          Every JavaScript object has a hidden link to another object, its prototype, or to{' '}
          <code>null</code>. When a property is read and the object does not have it itself, the
          prototype is asked, then the prototype’s prototype, until it is found or the chain ends
          and the answer is <code>undefined</code>. Writing does not climb: as a rule, an assignment
          makes or changes a property on the object itself.
        </p>
        <pre>
          <code>{`const part = { label() { return this.name } }
const fan = Object.create(part)
fan.name = 'Updraft 120'

Object.getPrototypeOf(fan) === part // true
Object.hasOwn(fan, 'label') // false: it is part's
fan.label() // 'Updraft 120': this is fan`}</code>
        </pre>
        <p>
          So objects inherit directly from objects. A <code>class</code> is a way to write the same
          thing: its methods live on <code>Fan.prototype</code>, <code>new Fan()</code> links the
          new object there, and <code>extends</code> links one prototype to the next.
        </p>
      </>
    ),
  },
  {
    id: 'setting-state',
    question: 'Why should state not be set directly?',
    answer: (
      <>
        <p>
          Given <code>const [parts, setParts] = useState([])</code>, why not{' '}
          <code>parts.push(next)</code>?
        </p>
        <ul>
          <li>
            React doesn’t notice. Only the setter schedules a render; an array changed behind its
            back leaves the old picture on the screen.
          </li>
          <li>
            React compares by identity, with <code>Object.is</code>. An array changed in place is
            still the same array, so even <code>setParts(parts)</code> and memoised children see no
            difference.
          </li>
          <li>
            A render should see one moment. Changing the array also changes what earlier renders,
            event handlers and pending transitions hold.
          </li>
        </ul>
        <p>
          So make a new value and hand it over; when it depends on the one before, hand over a
          function, because several updates may be waiting:
        </p>
        <pre>
          <code>{'setParts((parts) => [...parts, next])'}</code>
        </pre>
      </>
    ),
  },
  {
    id: 'unit-test',
    question: 'What is a unit test, and why write one?',
    answer: (
      <>
        <p>
          A unit test runs one function or component by itself, gives it known input, and checks the
          outcome. It needs no network and no database, so thousands run in seconds, and a failing
          one points at the place.
        </p>
        <pre>
          <code>{`test('a quantity below the minimum is refused', () => {
  const fan = { minimumOrderQuantity: 5, availableQuantity: 140 }
  const problem = quantityProblem(4, fan)
  expect(problem).toBe('Quantity can not be lower than minimum quantity')
})`}</code>
        </pre>
        <p>
          It is worth writing because it describes what the code promises, finds mistakes minutes
          after they are made, and lets code be changed without fear. It says nothing about whether
          the pieces work together: integration and end-to-end tests do.
        </p>
      </>
    ),
  },
]

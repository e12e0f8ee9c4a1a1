/** The toast library with its styles. No page loads it before its first toast. */
import 'react-toastify/ReactToastify.css'
import './toasts.css'

export { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled'

/** The library of toasts with its style, which no page loads before its first message. */
import 'react-toastify/ReactToastify.css'
import './toasts.css'

export { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled'

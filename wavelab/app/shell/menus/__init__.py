"""What menus, tool bars and keys can do, and the menu of the right button."""
